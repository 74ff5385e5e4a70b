import { lookup as resolve } from 'node:dns'
import { Agent as HttpAgent, type RequestOptions, request as requestByHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { readHttpDate } from '../../contract/moments.ts'
import { WorkRefused } from '../core/errors.ts'
import { hostOf, type Reach, urlFault } from '../domain/webhook/receiverAddress.ts'

/** The time (ms) a receiver has to respond, from the lookup of its name to its status. */
const TIMEOUT = 15_000
/** Characters stored of a receiver's response, and bytes read of it. */
const KEPT = 2000
const READ = 8192

/** The outcome of an attempt. */
export interface Outcome {
  response_status: number | null
  response: string
  duration_ms: number
  /** Milliseconds that the receiver asked to wait; 0 if it didn't. */
  wait: number
}
/** An attempt without a response; its message is a sentence for the delivery's log. */
export class NoAnswer extends Error {}

/** Connections aren't reused: each attempt resolves the name and checks the addresses again. */
const agents = { 'http:': new HttpAgent({ keepAlive: false }), 'https:': new HttpsAgent({ keepAlive: false }) } as const

/** Resolves a name to its allowed addresses; the connection can only use these. */
const lookupWithin =
  (reach: Reach, secure: boolean): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      const refused = found.map(({ address }) => reach.refused(address, secure))
      const open = found.filter((_, at) => refused[at] === null)
      if (!open.length) return done(new NoAnswer(refused[0] ?? 'Its name leads nowhere.') as NodeJS.ErrnoException, [])
      if (options.all) return done(null, open)
      done(null, open[0]!.address, open[0]!.family)
    })

/** Posts a body and returns the response, whatever its status; doesn't follow redirects. Throws NoAnswer. */
export async function post(
  text: string,
  headers: Record<string, string>,
  body: string,
  reach: Reach,
  stop: AbortSignal,
): Promise<Outcome> {
  const fault = urlFault(text, reach)
  if (fault) throw new NoAnswer(fault)
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  const host = hostOf(url)
  // A literal IP address isn't resolved, so it is checked here.
  const refused = isIP(host) ? reach.refused(host, secure) : null
  if (refused) throw new NoAnswer(refused)
  const began = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT)
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    agent: agents[url.protocol as keyof typeof agents],
    lookup: lookupWithin(reach, secure),
    signal: AbortSignal.any([timeout, stop]),
    maxHeaderSize: 16_384,
  }
  try {
    return await exchange(url, options, body, began)
  } catch (error) {
    if (stop.aborted) throw error
    throw timeout.aborted ? new NoAnswer(`It didn’t answer within ${TIMEOUT / 1000} seconds.`) : new NoAnswer(sentenceOf(error))
  }
}

function exchange(url: URL, options: RequestOptions, body: string, began: number): Promise<Outcome> {
  return new Promise((done, fail) => {
    const sent = (url.protocol === 'https:' ? requestByHttps : requestByHttp)(url, options, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const end = () => {
        done({
          response_status: answer.statusCode ?? null,
          response: textOf(Buffer.concat(chunks)),
          duration_ms: Math.round(performance.now() - began),
          wait: waitOf(answer.headers['retry-after']),
        })
        sent.destroy()
      }
      answer.on('data', (chunk: Buffer) => {
        if (bytes < READ) chunks.push(chunk.subarray(0, READ - bytes))
        bytes += chunk.length
        // An endless response is cut off; its status is known by now.
        if (bytes >= READ) end()
      })
      answer.on('end', end)
      // The status is known by now; only the response's text is incomplete.
      answer.on('error', end)
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

/** The beginning of a response, without control characters except line breaks. */
const textOf = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .slice(0, KEPT)

/** Retry-After in milliseconds, as seconds or a date; at most six hours. */
function waitOf(header: string | undefined): number {
  const text = header ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : (readHttpDate(text) ?? 0) - Date.now()
  return Math.min(Math.max(0, wait), 6 * 3_600_000)
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at its address.',
  ENOTFOUND: 'Its name is not known.',
  EAI_AGAIN: 'Its name could not be looked up.',
  ECONNRESET: 'The connection broke off.',
  EPIPE: 'The connection broke off.',
  ETIMEDOUT: 'It could not be connected to.',
  EHOSTUNREACH: 'Its address can’t be reached.',
  ENETUNREACH: 'Its address can’t be reached.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate’s chain is not complete.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}

/** The error as a sentence that contains neither an address nor a secret. */
function sentenceOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.message
  const { code = '', errors = [] } = error as { code?: string; errors?: { code?: string }[] }
  const known = [code, ...errors.map((one) => one.code ?? '')].find((one) => WORDS[one])
  return known ? WORDS[known]! : `It could not be sent${code ? ` (${code})` : ''}.`
}

/** Throws WorkRefused unless the response is a 2xx, so that the message is retried; a 410 is final. */
export function checkResponse({ response_status: status, wait }: Outcome): void {
  if (status !== null && status >= 200 && status < 300) return
  const redirect = status !== null && status >= 300 && status < 400 ? ' Redirects are not followed.' : ''
  throw new WorkRefused(`It answered ${status}.${redirect}`, status === 410, wait)
}
