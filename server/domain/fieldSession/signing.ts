import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../core/context.ts'

/** The seal's purpose (server/core/secrets.ts). */
const PURPOSE = 'entry link'

/** A new secret in the form that its owner sees once. */
export const newSecret = (): string => `fws_${randomBytes(24).toString('base64url')}`
export const sealSecret = ({ secrets }: Pick<Services, 'secrets'>, secret: string): string => secrets.seal(PURPOSE, secret)

/** The signature of a text: HMAC-SHA-256 in base64url. */
export const signatureFor = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** A link's secrets of one side that count now, the current one first. */
export function secretsNow(
  { secrets }: Pick<Services, 'secrets'>,
  { secret, before, before_until }: { secret: string; before: string | null; before_until: string | null },
  now: string,
): string[] {
  const sealed = before !== null && before_until !== null && before_until > now ? [secret, before] : [secret]
  return sealed.flatMap((one) => secrets.unseal(PURPOSE, one)?.text ?? [])
}

/** What a signature is worth: `t` in seconds, `grace` how far it may be off. */
export function checkSignature(
  secrets: readonly string[],
  text: (t: number) => string,
  { t, sig, now, grace }: { t: number | undefined; sig: string | undefined; now: Date; grace: number },
): 'fine' | 'missing' | 'wrong' | 'stale' {
  if (t === undefined || !sig) return 'missing'
  const sent = Buffer.from(sig)
  const isSigned = secrets.some((secret) => {
    const wanted = Buffer.from(signatureFor(secret, text(t)))
    return wanted.length === sent.length && timingSafeEqual(wanted, sent)
  })
  if (!isSigned) return 'wrong'
  return Math.abs(Math.floor(now.getTime() / 1000) - t) <= grace ? 'fine' : 'stale'
}
