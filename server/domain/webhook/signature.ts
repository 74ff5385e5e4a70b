import { createHmac, randomBytes } from 'node:crypto'

/*
 * Signatures as in Standard Webhooks: `v1,` and the HMAC-SHA256 of id, time and body, in base64.
 * While a secret is being replaced there are several, separated by spaces.
 */

const PREFIX = 'whsec_'
/** The seal's purpose (server/core/secrets.ts). */
export const SECRET = 'webhook'

/** A new secret in the form that its owner sees once. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

/** The header `webhook-signature` of a message; `seconds` is its `webhook-timestamp`. */
export const signatureOf = (secrets: readonly string[], id: string, seconds: number, body: string): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
    })
    .join(' ')
