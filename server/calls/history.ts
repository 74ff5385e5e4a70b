import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { historyWords } from '../../contract/history.ts'
import type { historyCalls } from '../../contract/historyLine.ts'
import type { Paging } from '../../contract/listInput.ts'
import type { HandlersOf } from '../core/handler.ts'
import { listOf } from '../core/listBuilder.ts'
import { dayBefore, endOfDay } from './account/keys.ts'

type Filter = Omit<z.output<(typeof historyCalls)['history.list']['input']>, Paging>
type Line = z.output<(typeof historyCalls)['history.list']['output']>['data'][number]
type Row = Omit<Line, 'words' | 'before' | 'after'> & { before: string; after: string }

const nameOf = (alias: string) =>
  sql.raw(`coalesce(nullif(trim(${alias}.first_name || ' ' || ${alias}.last_name), ''), ${alias}.email)`)
/** Subjects of lines about a person. */
const OF_PERSON = sql`('user', 'session')`

/** Everything that was done, newest first. */
const history = listOf<'history', Filter, Row, Line>('history', {
  table: 'history',
  changed: () => [{ table: 'history', at: 'at' }],
  join: `left join users actor on actor.id = history.actor_id left join users behind on behind.id = history.admin_id
    left join users person on person.id = history.subject_id and history.subject in ('user', 'session')
    left join partners on partners.id = history.partner_id left join projects on projects.id = history.project_id
    left join api_keys on api_keys.id = history.token_id`,
  scope: () => sql<SqlBool>`1 = 1`,
  where: ({ user_id: id, noun, start, end }, { services }) => [
    id !== undefined &&
      sql<SqlBool>`(history.actor_id = ${id} or history.admin_id = ${id} or (history.subject in ${OF_PERSON} and history.subject_id = ${id}))`,
    noun !== '' && sql<SqlBool>`history.subject = ${noun}`,
    start !== undefined && sql<SqlBool>`history.at >= ${endOfDay(dayBefore(start), services.settings.timeZone)}`,
    end !== undefined && sql<SqlBool>`history.at < ${endOfDay(end, services.settings.timeZone)}`,
  ],
  columns: () => ({
    // A refused sign-in may be anybody's.
    who: sql`case when history.action = 'session.refused' then 'Unknown' else coalesce(${nameOf('actor')}, partners.name, 'Fieldwork') end`,
    acting_admin: nameOf('behind'),
    token: sql`coalesce(api_keys.name, '')`,
    record: sql`coalesce(${nameOf('person')}, projects.name, '')`,
  }),
  also: () => ['actor_id', 'admin_id', 'project_id'].map((column) => sql`${sql.ref(`history.${column}`)}`),
  shown: (_ctx, rows) =>
    rows.map((row) => ({
      ...row,
      words: wordsFor(row.action),
      before: JSON.parse(row.before) as Record<string, unknown>,
      after: JSON.parse(row.after) as Record<string, unknown>,
    })),
  file: { title: () => 'History', cells: { action: (row) => wordsFor(row.action) } },
})

/** What a line says was done: "undid: edited the user" for an undo, and the call's id if it has no words. */
function wordsFor(action: string): string {
  const [, way, call] = /^(undo|redo) (.+)$/.exec(action) ?? []
  if (call) return `${way === 'undo' ? 'undid' : 'redid'}: ${wordsFor(call)}`
  return historyWords(action) ?? action
}

export const historyHandlers: HandlersOf<typeof historyCalls> = {
  'history.list': (ctx) => history.page(ctx, ctx.input),
}
