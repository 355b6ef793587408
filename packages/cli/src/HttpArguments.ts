/** The options of `pushbutton http`. */
import type { Offering } from "./Offering.js"

export interface HttpArguments extends Offering {
  readonly dir: string | undefined
  readonly definitions: string | undefined
  readonly host: string
  readonly port: number
  readonly allowedOrigins: ReadonlyArray<string>
  readonly allowedHosts: ReadonlyArray<string>
  /** Whether to serve other machines although nothing here knows who calls. */
  readonly allowRemote: boolean
  readonly graceSeconds: number
  /** Whether clients that begin with `initialize` are refused. */
  readonly modernOnly: boolean
  /** Whether HTTP+SSE is served besides. */
  readonly sse: boolean
  /** Whether clients that begin with `initialize` are served without sessions. */
  readonly stateless: boolean
}
