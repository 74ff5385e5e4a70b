import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new id of an arrival: 26 characters, sorted by their time (a ULID). */
export function newRid(now: Date): string {
  let time = now.getTime()
  let rid = ''
  for (let at = 0; at < 10; at++) {
    rid = ALPHABET[time % 32] + rid
    time = Math.floor(time / 32)
  }
  for (const byte of randomBytes(16)) rid += ALPHABET[byte % 32]
  return rid
}
