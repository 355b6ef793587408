/** Host and Origin values, compared as names: the defence against a web page that resolves its own name to this server. */

/** `name`, `name:port`, `1.2.3.4`, `[::1]:port`, in lower case; anything else is no host. */
const authority = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::\d{0,5})?$/

const isLoopbackName = (name: string): boolean =>
  name === "localhost" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name)

/** Whether an address or name to bind to is reached from this machine only. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase()
  return isLoopbackName(name.includes(":") ? `[${name}]` : name)
}

/** A loopback host in any spelling, with or without a port. */
export const isLoopbackAuthority = (host: string): boolean => {
  const name = authority.exec(host.toLowerCase())?.[1]
  return name !== undefined && isLoopbackName(name)
}

/** Whether `host` is `entry`, or `entry` with a port where the entry names none. */
export const isSameHost = (host: string, entry: string): boolean => {
  const sent = host.toLowerCase()
  const allowed = entry.toLowerCase()
  return sent === allowed || authority.exec(sent)?.[1] === allowed
}

/** `http` and `https` origins of this machine. `null` is none. */
export const isLoopbackOrigin = (origin: string): boolean => {
  const host = /^https?:\/\/([^/]*)$/i.exec(origin)?.[1]
  return host !== undefined && isLoopbackAuthority(host)
}
