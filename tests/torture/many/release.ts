import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PROGRAM } from './fleet.ts'

const root = resolve(import.meta.dirname, '../../..')
export const NEXT = '9999-next'

/** A migration that only adds, to busy tables: columns with and without a default, a table, an index. */
const MIGRATION = `import { sql } from 'kysely'
export const next = {
  async up(db) {
    await sql\`alter table "notes" add column "next_mood" text\`.execute(db)
    await sql\`alter table "projects" add column "next_mark" text not null default 'none'\`.execute(db)
    await sql\`alter table "respondents" add column "next_rank" bigint not null default 0\`.execute(db)
    await sql\`create table "next_things" ("id" bigint primary key, "project_id" bigint not null references "projects")\`.execute(db)
    await sql\`create index "ix_next_notes" on "notes" ("next_mood")\`.execute(db)
  },
}
`

/** Makes the next release in a folder: this code with one more migration. Returns its program. */
export function makeNextRelease(folder: string): string {
  for (const part of ['server', 'contract', 'verbs', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const part of ['node_modules', 'dist']) if (existsSync(join(root, part))) symlinkSync(join(root, part), join(folder, part))
  const program = join(folder, PROGRAM)
  mkdirSync(dirname(program), { recursive: true })
  cpSync(join(root, PROGRAM), program)
  writeFileSync(join(folder, 'server/db/migrations', `${NEXT}.ts`), MIGRATION)
  return program
}
