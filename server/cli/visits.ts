import { join } from 'node:path'
import { counted, percent } from '../../contract/format.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings } from '../core/settings.ts'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { rebuildVisits } from '../domain/visit/rebuild.ts'
import { Refused } from '../exitMessage.ts'
import { runCommand } from '../runCommand.ts'

const HELP = `Counts visits again from the stored raw visits.

  npm run visits -- rebuild                  all services, for example after a change of TIME_ZONE
  npm run visits -- rebuild --service 12     one service

It can run beside the server, and again after an interruption. Closed months keep their counts.`

await runCommand(HELP, { service: { type: 'string' } }, 1, async (values, positionals) => {
  if (positionals[0] !== 'rebuild') throw new Refused(HELP)
  const service = values.service === undefined ? undefined : Number(values.service)
  if (service !== undefined && (!Number.isInteger(service) || service < 1)) throw new Refused('Name the service: --service 12')
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const database = connect(
    settings.directUrl ? { url: settings.directUrl, poolSize: 2 } : { file: join(settings.dataDir, 'fieldwork.db') },
  )
  try {
    await migrate(database)
    let printed = -1
    const done = await rebuildVisits(
      { database, timeZone: settings.timeZone },
      (at, total) => {
        const tenth = Math.floor((10 * at) / total)
        if (tenth > printed) console.log(percent(tenth * 10))
        printed = Math.max(printed, tenth)
      },
      service === undefined ? {} : { only: service },
    )
    console.log(done ? `${counted(done, 'service')} counted again.` : 'There are no visits to count.')
  } finally {
    await database.close()
  }
})
