import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { DeskLine, deskCalls } from '../../../contract/desk.ts'
import { DESK_RULES, type DeskRuleId } from '../../../contract/deskRules.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { changedSince } from '../../core/listSearch.ts'
import { detailOf, projectsBehind, readinessOf } from './deskWords.ts'
import { deskLines } from './lines.ts'

type Filter = Omit<z.output<(typeof deskCalls)['desk.list']['input']>, Paging>
interface Row {
  id: number
  rule: DeskRuleId
  kind: DeskLine['kind']
  subject_id: number
  project_id: number | null
  name: string
  client: string
  since: string
  owner: string
  owner_id: number | null
  cost_cents: number | null
  figure: number | null
  day: string | null
  cause: string
  state: DeskLine['state']
  acknowledged_by: string | null
  snoozed_by: string | null
  snoozed_until: string | null
}

/** A line's state: what was decided about its cause, as long as that is the same. */
const stateAt = (now: string) => sql`(case
  when desk_marks.snoozed_until > ${now} or desk_marks.snoozed_cause = desk_lines.cause then 'snoozed'
  when desk_marks.acknowledged_cause = desk_lines.cause then 'acknowledged' else 'open' end)`
const nameOf = (table: string) => sql.raw(`trim(coalesce(${table}.first_name || ' ' || ${table}.last_name, ''))`)
const MINE = (me: number) => sql<SqlBool>`(owners.id is null or owners.id = ${me})`

/** What needs somebody, for the caller: derived lines with what was decided about them. */
export const deskList = listOf<'desk', Filter, Row, DeskLine>('desk', {
  table: 'desk_lines',
  derives: deskLines,
  join: `left join desk_marks on desk_marks.rule = desk_lines.rule and desk_marks.subject_id = desk_lines.subject_id
    left join users owners on owners.id = coalesce(desk_marks.owner_id, desk_lines.owner_id)
      and owners.deleted_at is null and owners.role = 'admin'
    left join users acknowledger on acknowledger.id = desk_marks.acknowledged_by
    left join users snoozer on snoozer.id = desk_marks.snoozed_by`,
  scope: () => sql<SqlBool>`1 = 1`,
  where: ({ state, whose, rule }, { actor, now }) => [
    state !== 'all' && sql<SqlBool>`${stateAt(now)} = ${state}`,
    whose === 'mine' && MINE(actor.id),
    whose === 'nobody' && sql<SqlBool>`owners.id is null`,
    rule !== '' && sql<SqlBool>`desk_lines.rule = ${rule}`,
  ],
  changed: (_ctx, since) => changedSince(since, [sql`desk_lines.since`, sql`coalesce(desk_marks.updated_at, '')`]),
  columns: ({ now }) => ({ state: stateAt(now), owner: nameOf('owners'), detail: sql`''`, command: sql`''` }),
  // Lines of unknown cost come last.
  empty: ['cost_cents'],
  also: () => [
    ...['subject_id', 'kind', 'project_id', 'figure', 'day', 'cause'].map((column) => sql`${sql.ref(`desk_lines.${column}`)}`),
    sql`owners.id as owner_id`,
    sql`${nameOf('acknowledger')} as acknowledged_by`,
    sql`${nameOf('snoozer')} as snoozed_by`,
    sql`desk_marks.snoozed_until`,
  ],
  shown: linesShown,
  file: { title: () => 'Desk', holds: ({ project_id }) => project_id, more: worded },
})

/** A row with its words. */
interface Worded extends Row {
  detail: string
  missing: string[]
  ready: string[]
}

async function worded(ctx: Ctx, rows: readonly Row[]): Promise<Worded[]> {
  const projects = await projectsBehind(ctx, rows)
  return rows.map((row) => {
    const project = row.project_id === null ? undefined : projects.get(row.project_id)
    const launches = row.rule === 'launch' || row.rule === 'lateStart'
    const readiness = project && launches ? readinessOf(project, ctx.today) : { ready: [], missing: [] }
    return { ...row, ...readiness, detail: detailOf(row, project, readiness.missing, ctx.today) }
  })
}

async function linesShown(ctx: Ctx, rows: readonly Row[]): Promise<DeskLine[]> {
  return (await worded(ctx, rows)).map(({ figure: _figure, day: _day, cause: _cause, ...row }) => ({
    ...row,
    line: DESK_RULES[row.rule].line,
    command: DESK_RULES[row.rule].command,
    acknowledged_by: row.state === 'acknowledged' ? (row.acknowledged_by ?? '') : '',
    snoozed_by: row.state === 'snoozed' ? (row.snoozed_by ?? '') : '',
    snoozed_until: row.state === 'snoozed' ? row.snoozed_until : null,
    ...allowedActions('desk', ctx.actor, { state: row.state }),
  }))
}
