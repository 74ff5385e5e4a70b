import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { migrateUnderLoad } from '../../support/migrationLoad.ts'

/** The longest that a caller may wait for a lock (ms); longer waits are named, and only a hang breaks the promise. */
const GOAL_MS = 200
const HANG_MS = 5000

/**
 * The part `migrations` of `npm run torture`: runs each migration since the baseline, and one of each kind.
 * The database is filled, and callers of release 0.2 read and write meanwhile.
 */
export async function tortureMigrations(how: How): Promise<Outcome> {
  const { DATABASE_URL } = await how.database()
  const people = how.number('people', 500_000)
  const filling = { projects: how.number('projects', 2000), people }
  const { went, statements, failed } = await migrateUnderLoad(DATABASE_URL!, filling, {
    hold: '9991-filled',
    heldMs: 10_000,
    progress: how.say,
  })
  const longer = went.filter(({ waited }) => waited > GOAL_MS)
  const longest = went.toSorted((a, b) => b.waited - a.waited)[0]!
  return {
    figures: {
      'statements of callers': statements.reduce((sum, count) => sum + count, 0),
      'longest wait for a lock': `${Math.round(longest.waited)} ms, ${longest.table} in ${longest.name}`,
      [`migrations over ${GOAL_MS} ms`]:
        longer.map(({ name, waited }) => `${name} ${Math.round(waited)} ms`).join(', ') || 'none',
    },
    faults: [
      ...failed,
      ...went
        .filter(({ waited }) => waited > HANG_MS)
        .map(({ name, table, waited }) => `${name}: a caller waited ${Math.round(waited)} ms for ${table}`),
    ],
  }
}
