/** A response as a caller judges it. */
export interface Heard {
  status: number
  ms: number
  code: string
  text: string
  retry: number
  /** True if an error has every part that our errors have. */
  shaped: boolean
}

/** Reads what a caller needs to know from a response. */
export function heard(status: number, ms: number, text: string, retryAfter: string): Heard {
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>
  const shaped = ['message', 'errors', 'code', 'request_id', 'response', 'fields'].every((name) => name in body)
  return { status, ms, code: String(body.code ?? ''), text, retry: Number(retryAfter), shaped }
}
