import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Signs links with the installation's own key. */
export interface Secrets {
  /** Signs a value until a time (seconds since the epoch), as text for a URL. */
  sign(purpose: string, value: string, until: number): string
  /** The value of a signed text; null if it is forged, expired or of another purpose. */
  open(purpose: string, text: string, now: Date): string | null
  /** The same with its expiry (seconds since the epoch), past or not. */
  read(purpose: string, text: string): { value: string; until: number } | null
  /** Encrypts what has to be read again, so that a copy of the database doesn't show it. */
  seal(purpose: string, text: string): string
  /** What was sealed, and whether the key is still the first; null if it was forged or its key is gone. */
  unseal(purpose: string, sealed: string): { text: string; current: boolean } | null
}

/** A random token of n bytes, as URL-safe text. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
/** Hashes a token with SHA-256 for storage, so that a copy of the database signs no one in. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Secrets from the installation's keys: the first signs, any of them opens. */
export function secretsOf(keys: readonly string[]): Secrets {
  const sealing = (key: string, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `seal ${purpose}`, 32))
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
      const actual = Buffer.from(signature, 'base64url')
      const isOurs = keys.some((key) => {
        const wanted = mac(key, `${purpose}.${until}.${value}`)
        return actual.length === wanted.length && timingSafeEqual(actual, wanted)
      })
      return isOurs ? { value: Buffer.from(value, 'base64url').toString(), until: Number(until) } : null
    },
    seal(purpose, text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing(keys[0]!, purpose), nonce)
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')
    },
    unseal(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < 28) return null
      for (const [at, key] of keys.entries()) {
        const decipher = createDecipheriv('aes-256-gcm', sealing(key, purpose), bytes.subarray(0, 12))
        decipher.setAuthTag(bytes.subarray(12, 28))
        try {
          const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
          return { text, current: at === 0 }
        } catch {
          // Sealed with another key.
        }
      }
      return null
    },
  }
}
