import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let decoy: Promise<string> | null = null

/** Hashes a password with argon2id, in PHC form. It is slow on purpose: call it outside a transaction. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** True if a password matches its hash; takes as long without a hash, so that timing doesn't reveal accounts. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const fits = await verify(stored ?? (await decoy), password).catch(() => false)
  return stored !== null && fits
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const pick = (from: string, count: number): string[] => Array.from({ length: count }, () => from[randomInt(from.length)]!)

/** A temporary password: 5 letters, 3 digits, 2 of either, shuffled, no look-alikes (people-area 9). */
export function temporaryPassword(): string {
  const signs = [...pick(LETTERS, 5), ...pick(DIGITS, 3), ...pick(LETTERS + DIGITS, 2)]
  for (let at = signs.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    ;[signs[at], signs[other]] = [signs[other]!, signs[at]!]
  }
  return signs.join('')
}
