import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, indexesOnline } from '../online.ts'

const ORDERS = ['created_at', 'end_dt', 'start_dt', 'name']
/** What lists of projects filter by; a search reads every name. SQLite needs the condition's column, too. */
const FILTERED = ['id', 'parent_id', 'status', 'client_id', 'campaign_type', 'name', 'deleted_at']

const listed = (columns: readonly string[], where: string) =>
  `"projects" (${columns.map((one) => `"${one}"`).join(', ')}) where ${where}`
/** Orders of lists, and children, with all they are searched and filtered by, so that the index alone finds rows. */
const INDEXES = {
  ...Object.fromEntries(
    ORDERS.map((column) => [
      `ix_projects_listed_${column}`,
      listed(['generation', column, ...FILTERED.filter((one) => one !== column)], '"deleted_at" is null'),
    ]),
  ),
  ix_projects_of_parent: listed(
    ['parent_id', 'status', 'name', 'ordered', 'delivered', 'deleted_at'],
    '"parent_id" is not null and "deleted_at" is null',
  ),
}
/** Those of 0046, without names, types and what SQLite needs. */
const BEFORE = [...ORDERS.map((column) => `ix_projects_by_${column}`), 'ix_projects_parts']

/** Replaces the indexes that find the rows of lists of projects. */
export const listedNames = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    await indexesOnline(db, INDEXES)
    for (const name of BEFORE) await sql.raw(`drop index concurrently if exists "${name}"`).execute(db)
  },
  async up(db: Kysely<unknown>) {
    await createIndexes(db, engine, INDEXES)
    for (const name of BEFORE) await sql.raw(`drop index if exists "${name}"`).execute(db)
  },
})
