/** A webhook's message whose signature was verified. */
export interface WebhookMessage {
  id: string
  type: string
  timestamp: string
  sequence: number | null
  action: string | null
  data: Record<string, unknown> & { id: number }
  previous: Record<string, unknown>
}

/** Thrown for a message that isn't from the server, or not from now. */
export class WebhookError extends Error {}

/** Seconds that a message may be old, or ahead. */
const TOLERANCE = 300

type Headers = Readonly<Record<string, string | string[] | undefined>> | { get(name: string): string | null }

const headerOf = (headers: Headers, name: string): string => {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, string | string[]>)[name]
  return typeof value === 'string' ? value : ''
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))

/**
 * Verifies a message by the webhook's secret (Standard Webhooks) and returns it; throws a WebhookError for any other.
 * `body` is the text as it arrived. A message arrives twice if your response was lost, so store the ids you have processed.
 */
export async function verifyWebhook(secret: string, headers: Headers, body: string, now = Date.now()): Promise<WebhookMessage> {
  const [id, seconds] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
  if (!id || !/^\d{1,12}$/.test(seconds)) throw new WebhookError('It has no webhook-id or webhook-timestamp.')
  if (Math.abs(now / 1000 - Number(seconds)) > TOLERANCE) throw new WebhookError('It was not sent within the last five minutes.')
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), hmac, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${seconds}.${body}`)
  for (const signature of headerOf(headers, 'webhook-signature').split(' ')) {
    const [version, base64 = ''] = signature.split(',')
    if (version !== 'v1' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4) continue
    if (await crypto.subtle.verify(hmac, key, bytesOf(base64), signed)) return JSON.parse(body) as WebhookMessage
  }
  throw new WebhookError('It is not signed with this secret.')
}
