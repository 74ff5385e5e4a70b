import { paths } from 'virtual:partner-calls'
import type { Input, Output } from '../../contract/calls.ts'
import { PARTNER_HEADER } from '../../contract/pages.ts'
import { ApiError } from './api.ts'
import { noteServerTime } from './serverClock.ts'

/** A call of the partners' page, which loads without the workspace's client, caches and tables. */
export type PartnerCall = keyof typeof paths

/** A call's response, and the link to a newer request if the server sent one. */
export interface PartnerAnswer<Id extends PartnerCall> {
  body: Output<Id>
  newer: string | null
}

const SENTENCES: Readonly<Record<number, string>> = {
  0: 'Can’t reach the server. Check your connection and try again.',
  429: 'Too many requests. Please wait a moment and try again.',
}

/** Makes a call with a partner's link, or with the cookie; throws ApiError, with status 0 if there is no connection. */
export async function callAsPartner<Id extends PartnerCall>(
  id: Id,
  input: Input<Id>,
  { token, leaving = false }: { token: string | null; leaving?: boolean },
): Promise<PartnerAnswer<Id>> {
  const [method, path] = paths[id]
  const rest: Record<string, unknown> = { ...(input as object) }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const query = method === 'GET' ? queryOf(rest) : ''
  const headers = {
    accept: 'application/json',
    'x-fieldwork': 'workspace',
    ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    ...(token ? { [PARTNER_HEADER]: token } : {}),
  }
  let answer: Response
  let text: string
  try {
    // A request made while the page is left must outlive it.
    answer = await fetch(filled + query, {
      method,
      headers,
      body: method === 'GET' ? null : JSON.stringify(rest),
      credentials: 'same-origin',
      keepalive: leaving,
    })
    text = await answer.text()
    noteServerTime(answer.headers)
  } catch {
    throw new ApiError(0, 'unreachable', SENTENCES[0]!)
  }
  const body = parse(text)
  if (answer.ok) return { body: body as Output<Id>, newer: answer.headers.get(PARTNER_HEADER) }
  const { message, code, fields, request_id, ...more } = body as Record<string, unknown>
  throw new ApiError(
    answer.status,
    typeof code === 'string' ? code : `http_${answer.status}`,
    typeof message === 'string' ? message : (SENTENCES[answer.status] ?? 'The server couldn’t do this. Please try again.'),
    { fields: (fields ?? {}) as Record<string, string>, requestId: typeof request_id === 'string' ? request_id : null, more },
  )
}

function queryOf(values: Record<string, unknown>): string {
  const entries = Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]))
  return entries.length ? `?${new URLSearchParams(entries)}` : ''
}

function parse(text: string): object {
  try {
    const read = JSON.parse(text) as unknown
    return read && typeof read === 'object' ? read : {}
  } catch {
    return {}
  }
}
