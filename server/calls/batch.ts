import type { Ctx } from '../core/context.ts'
import { HttpError, invalid } from '../core/errors.ts'
import { toHttpError } from '../core/httpErrors.ts'
import type { Line } from '../domain/runtime/ndjson.ts'

/** A list of rows as lines; throws a 422 without a list. */
export function listed(rows: readonly unknown[] | undefined): Line[] {
  if (!rows) throw invalid('rows', 'rows is required: a JSON list, or NDJSON sent as application/x-ndjson')
  return rows.map((row, at) => ({ number: at + 1, row }))
}

/** The key's id and name for the history, because an importer is not a user. */
export const byKey = ({ apiKey }: Ctx['caller']) => (apiKey ? { api_key: apiKey.id, key: apiKey.name } : {})

/** True if the sender's connection is gone. */
export const isAborted = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'ECONNRESET'

/** Adds to an upload's error how many of these things were kept. */
export function brokenOff(ctx: Ctx, error: unknown, data: { added: number; dry: boolean }, things: string): unknown {
  if (data.dry) return error
  const resumeHint = `${data.added} ${things} of this batch are kept, and sending it again counts nothing twice.`
  // The sender is gone; this response only keeps the log from reporting an error of ours.
  if (isAborted(error)) return new HttpError(400, 'aborted', `The upload was interrupted. ${resumeHint}`, { data })
  const known = error instanceof HttpError ? error : toHttpError(ctx.services.database, error)
  if (known)
    return Object.assign(new HttpError(known.status, known.code, `${known.message} ${resumeHint}`, { ...known.more, data }), {
      cause: error,
    })
  return Object.assign(new HttpError(500, 'broken_off', `Something went wrong on our side. ${resumeHint}`, { data }), {
    cause: error,
  })
}
