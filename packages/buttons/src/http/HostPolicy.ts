/** Which hosts buttons may reach: public ones, those the operator names, and private networks where permitted. */
import * as Either from "effect/Either"
import { quote } from "../internal/text.js"
import * as Addresses from "./addresses.js"
import * as Origin from "./Origin.js"

export interface HostPolicy {
  /** Reached wherever their names lead, also by redirects. */
  readonly named: ReadonlyArray<NamedHost>
  /** Whether a button that asks for it may reach loopback and private addresses. */
  readonly privateNetworks: boolean
}

export interface NamedHost {
  readonly hostname: string
  /** The scheme's own when undefined. */
  readonly port: number | undefined
}

export const publicOnly: HostPolicy = { named: [], privateNetworks: false }

/** `host` or `host:port`, an IPv6 address in brackets; left is what is wrong with it. */
export const parseHost = (text: string): Either.Either<NamedHost, string> => {
  const wrong = Either.left(`${quote(text)} is not a host or host:port`)
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/?#@[\]\\*]+)(?::(\d{1,5}))?$/.exec(text)
  if (match === null) return wrong
  const [, host = "", port] = match
  try {
    const origin = Origin.fromUrl(new URL(`http://${host}/`))
    if (origin === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return wrong
    return Either.right({ hostname: origin.hostname, port: port === undefined ? undefined : Number(port) })
  } catch {
    return wrong
  }
}

/**
 * What the operator permits: the hosts in BUTTONS_ALLOW_HOSTS, separated by commas, and private networks where
 * BUTTONS_ALLOW_PRIVATE_NETWORKS is exactly `1`.
 */
export const fromEnvironment = (
  environment: Readonly<Record<string, string | undefined>>
): Either.Either<HostPolicy, string> =>
  Either.mapBoth(parseHosts(environment["BUTTONS_ALLOW_HOSTS"] ?? ""), {
    onLeft: (problem) => `BUTTONS_ALLOW_HOSTS: ${problem}`,
    onRight: (named) => ({
      named,
      privateNetworks: environment["BUTTONS_ALLOW_PRIVATE_NETWORKS"] === "1"
    })
  })

const parseHosts = (text: string): Either.Either<ReadonlyArray<NamedHost>, string> =>
  Either.all(
    text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "")
      .map(parseHost)
  )

/** Whether the host, on its port or the scheme's own, is where a request goes. */
export const names = (host: NamedHost, { hostname, port, scheme }: Origin.Origin): boolean =>
  host.hostname === hostname && (host.port ?? Origin.defaultPorts[scheme]) === port

export const isNamed = ({ named }: HostPolicy, origin: Origin.Origin): boolean =>
  named.some((host) => names(host, origin))

/**
 * Why addresses that a host's name leads to must not be reached; undefined when all of them may be. The sentence names
 * the kind of address, never the address.
 */
export const refusal = (
  policy: HostPolicy,
  origin: Origin.Origin,
  addresses: ReadonlyArray<string>,
  wantsPrivateNetworks: boolean
): string | undefined => {
  if (isNamed(policy, origin)) return undefined
  for (const address of addresses) {
    const kind = Addresses.kindOf(address)
    if (kind === undefined) continue
    if (wantsPrivateNetworks && policy.privateNetworks && Addresses.isPrivateNetwork(kind)) continue
    return `${Origin.authority(origin)} leads to an address that is not public (${kind})`
  }
  return undefined
}
