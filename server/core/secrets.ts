import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Signs links with the installation's own key. */
export interface Secrets {
  /** Signs a value until a time (seconds since the epoch), as text for a URL. */
  sign(purpose: string, value: string, until: number): string
  /** The value of a signed text; null if it is forged, expired or of another purpose. */
  open(purpose: string, text: string, now: Date): string | null
  /** The same with its expiry (seconds since the epoch), past or not. */
  read(purpose: string, text: string): { value: string; until: number } | null
}

/** A random token of n bytes, as URL-safe text. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
/** Hashes a token with SHA-256 for storage, so that a copy of the database signs no one in. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Secrets from the installation's keys: the first signs, any of them opens. */
export function secretsOf(keys: readonly string[]): Secrets {
  const mac = (key: string, text: string) => createHmac('sha256', key).update(text).digest()
  return {
    sign(purpose, value, until) {
      const body = `${until}.${Buffer.from(value).toString('base64url')}`
      return `${body}.${mac(keys[0]!, `${purpose}.${body}`).toString('base64url')}`
    },
    open(purpose, text, now) {
      const read = this.read(purpose, text)
      return read && read.until * 1000 > now.getTime() ? read.value : null
    },
    read(purpose, text) {
      const [until, value, signature] = text.split('.')
      if (!until || value === undefined || !signature) return null
      const given = Buffer.from(signature, 'base64url')
      const isOurs = keys.some((key) => {
        const wanted = mac(key, `${purpose}.${until}.${value}`)
        return given.length === wanted.length && timingSafeEqual(given, wanted)
      })
      return isOurs ? { value: Buffer.from(value, 'base64url').toString(), until: Number(until) } : null
    },
  }
}
