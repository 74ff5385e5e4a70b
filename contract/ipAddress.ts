/** A part of an address of 128 bits. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/
const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d{1,2}|0)(?:\.(?!$)|$)){4}$/

/**
 * An IP address in its one spelling, as RFC 5952 writes it; an IPv4 address that IPv6 wraps is that address.
 * Null for anything else.
 */
export function readIpAddress(typed: string): string | null {
  const text = typed.trim()
  if (V4.test(text)) return /(?:^|\.)0\d/.test(text) ? null : text
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':') || !URL.canParse(`http://[${text}]`)) return null
  const { hostname } = new URL(`http://[${text}]`)
  const mapped = MAPPED.exec(hostname)
  if (!mapped) return hostname.slice(1, -1)
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
