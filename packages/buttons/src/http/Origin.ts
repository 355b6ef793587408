/** Where a request goes: scheme, host and port, in the one spelling that everything here compares and checks. */

export interface Origin {
  readonly scheme: "http" | "https"
  /** Lower case; IPv4 in dotted decimal whatever it was spelled like, IPv6 without brackets. */
  readonly hostname: string
  readonly port: number
}

export const defaultPorts: Readonly<Record<Origin["scheme"], number>> = { http: 80, https: 443 }

/** Undefined for another scheme, and for a URL without a host. */
export const fromUrl = (url: URL): Origin | undefined => {
  const scheme = url.protocol === "http:" ? "http" : url.protocol === "https:" ? "https" : undefined
  if (scheme === undefined || url.hostname === "") return undefined
  return {
    scheme,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? defaultPorts[scheme] : Number(url.port)
  }
}

const host = (hostname: string): string => (hostname.includes(":") ? `[${hostname}]` : hostname)

/** As in a `Host` header: the port only where it is not the scheme's own. */
export const authority = ({ hostname, port, scheme }: Origin): string =>
  port === defaultPorts[scheme] ? host(hostname) : `${host(hostname)}:${port}`

export const format = (origin: Origin): string => `${origin.scheme}://${authority(origin)}`

export const equals = (one: Origin, other: Origin): boolean => format(one) === format(other)

/** From `http` to `https` on the same host, each on its own port. */
export const isUpgrade = (from: Origin, to: Origin): boolean =>
  from.hostname === to.hostname &&
  from.scheme === "http" &&
  from.port === defaultPorts.http &&
  to.scheme === "https" &&
  to.port === defaultPorts.https
