import { type CallId, calls } from '../../contract/calls.ts'
import { scopeNeeded, scopesOf } from '../../contract/tokenScope.ts'
import type { Ctx, JobRow } from '../core/context.ts'
import { missingScope } from '../core/errors.ts'
import { refuseUnknown } from '../core/unknownNames.ts'
import { refuseTooMany, refuseTooOften } from '../jobs/exportLimits.ts'
import type { ExportInput } from './export.ts'
import { exportOf } from './exports.ts'

/** The record that an export's title names; a list of many fills what it holds only while it is written. */
function named<K extends string>(held: ReadonlySet<number> | undefined, filter: unknown, key: K): { [key in K]?: number } {
  if (!held?.size) return {}
  const wanted = Number((filter as Partial<Record<K, unknown>> | null)?.[key])
  return { [key]: held.has(wanted) ? wanted : [...held][0]! } as { [key in K]?: number }
}

/**
 * Names of a filter that its export doesn't know, which filter nothing: the file would hold more than was meant.
 * Throws a 422 for a token's, with the right names.
 */
export function ignoredFilters(ctx: Ctx, { source, filter }: Pick<ExportInput, 'source' | 'filter'>): string[] {
  const { filters } = exportOf(source)
  const names = Object.keys(filter as object).filter((name) => !filters.includes(name))
  const paths = names.map((name) => `filter.${name.slice(0, 100)}`)
  if (ctx.caller.token) refuseUnknown(calls['export.start'], paths, 'all', [...filters])
  return paths
}

/** Throws a 403 for a token that neither starts every export nor reads this one's source. */
function refuseWithoutScope({ caller: { token } }: Ctx, source: ExportInput['source']): void {
  if (!token) return
  const { read } = exportOf(source)
  const id = Object.hasOwn(calls, read) ? (read as CallId) : null
  const scopes = [...scopesOf('export.start', calls['export.start']), ...(id ? scopesOf(id, calls[id]) : [])]
  if (!scopes.some((scope) => token.scopes.includes(scope)))
    throw missingScope(token.name, id ? scopeNeeded(id, calls[id]) : '*:write')
}

/** Starts an export as a job of the caller; throws for a wrong filter, a missing right, or too many exports. */
export async function startExport(ctx: Ctx, { source, filter, columns, format }: ExportInput): Promise<JobRow> {
  refuseWithoutScope(ctx, source)
  await refuseTooMany(ctx, ctx.actor.id)
  await refuseTooOften(ctx)
  // Opening it here turns a wrong filter or missing access into an error now instead of a failed job later.
  const { title, count, holds, services } = await exportOf(source).open(ctx, filter, columns)
  const input = { source, filter, columns, format }
  const job = await ctx.services.jobs.add(ctx, {
    ...{ kind: 'export', title: `Export: ${title}`, input },
    ...named(holds, filter, 'project_id'),
    ...named(services, filter, 'service_id'),
  })
  await ctx.record({ subject: 'job', subject_id: job.id, after: { export: source, rows: count } })
  return job
}
