/** The input is wrong; nothing was sent. */
export class UsageError extends Error {}

/** A job that a command started failed or was cancelled. */
export class JobError extends Error {}

/** The body of an error response. */
export interface ErrorBody {
  message?: string
  code?: string
  fields?: Record<string, string>
  scope?: string
  request_id?: string
  [more: string]: unknown
}

/** The server refused the call, or couldn't be reached (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** The response's body as received. */
  readonly text: string
  constructor(status: number, body: ErrorBody, text = JSON.stringify(body)) {
    super(body.message || `The server responded with ${status}.`)
    this.status = status
    this.body = body
    this.text = text
  }
}
