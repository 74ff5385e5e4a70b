import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { CallId, Input, Output } from '../../../contract/calls.ts'
import { requestOf } from '../../api/calling.ts'

export type Headers = Record<string, string>
/** A response, with the server that sent it if it came through the proxy. */
export interface Answer<Id extends CallId = CallId> {
  status: number
  headers: Record<string, string | string[] | undefined>
  content: Buffer
  body: Output<Id> & { message: string; code: string }
  by: string
}
interface Sent {
  method?: string
  headers?: Headers | undefined
  body?: Buffer | object | undefined
  /** A local source address: 127.0.0.2 and the like count as separate callers. */
  from?: string | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Sends a request and reads the whole response; throws without one. */
export function send<Id extends CallId>(url: string, { method = 'GET', headers, body, from }: Sent = {}): Promise<Answer<Id>> {
  const content = body === undefined || body instanceof Buffer ? body : Buffer.from(JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        ...(from ? { localAddress: from } : {}),
        headers: {
          ...(body === undefined || body instanceof Buffer ? {} : { 'content-type': 'application/json' }),
          ...(content ? { 'content-length': content.length } : {}),
          ...headers,
        },
      },
      (answer) => {
        buffer(answer).then(
          (whole) =>
            resolve({
              status: answer.statusCode!,
              headers: answer.headers,
              content: whole,
              body: parsed(whole) as Answer<Id>['body'],
              by: String(answer.headers['x-served-by'] ?? ''),
            }),
          reject,
        )
      },
    )
    sent.setTimeout(60_000, () => sent.destroy(new Error('no response within a minute')))
    sent.once('error', reject)
    sent.end(content)
  })
}

/** Makes a call of the table at a server or the proxy. */
export function call<Id extends CallId>(
  base: string,
  id: Id,
  input: Partial<Input<Id>> & Record<string, unknown> = {},
  { headers, from }: Pick<Sent, 'headers' | 'from'> = {},
): Promise<Answer<Id>> {
  const { method, url, body } = requestOf(id, input)
  return send<Id>(base + url, { method, headers, from, body: body as object | undefined })
}

/** Uploads a file like a browser's form. */
export function upload(base: string, headers: Headers, name: string, content: Buffer, fields: Record<string, string> = {}) {
  const edge = 'edge-of-the-form'
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${edge}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `${parts.join('')}--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${edge}--\r\n`)])
  const type = { 'content-type': `multipart/form-data; boundary=${edge}` }
  return send<'file.upload'>(`${base}/v3/portal/files`, { method: 'POST', headers: { ...headers, ...type }, body })
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString())
  } catch {
    return {}
  }
}
