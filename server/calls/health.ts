import type { HealthLine, healthCalls } from '../../contract/health.ts'
import { withStop } from '../../contract/textEnds.ts'
import type { Services } from '../core/context.ts'
import type { HandlersOf } from '../core/handler.ts'
import { RELEASE } from '../core/release.ts'
import { reasonOf } from '../db/dbErrors.ts'
import { lookAtHealth } from '../domain/lookAtHealth.ts'

/** A count of SQLite reads every row, and nothing else is answered meanwhile. */
const COUNT_TO = 100_000

export const healthHandlers: HandlersOf<typeof healthCalls> = {
  'organization.health': async ({ services }) => ({ data: await healthOf(services) }),
}

/** What `npm run doctor` says, except the settings, which are the operator's. */
async function healthOf({ settings, mailer, database, files, contents }: Services) {
  const lines: HealthLine[] = []
  await lookAtHealth(
    {
      settings,
      mailer,
      database: () => database,
      async contents() {
        const trouble = await files.trouble()
        return trouble ? { trouble: trouble.sentence } : contents
      },
      countTo: COUNT_TO,
      sentenceOf: (error) => withStop(reasonOf(error)),
    },
    (part, sentence, state = 'well') => lines.push({ part, state, sentence }),
  )
  return { release: RELEASE, lines }
}
