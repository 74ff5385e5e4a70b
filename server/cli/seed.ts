import { join } from 'node:path'
import { acquireDataDir } from '../core/dataDirLock.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { readSettings } from '../core/settings.ts'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { DEMO_SIZES } from '../demo/demoNouns.ts'
import { barOf } from '../demo/fill.ts'
import { DEMO_LOGINS } from '../demo/people.ts'
import { NotEmpty, seed } from '../demo/seed.ts'
import type { DemoSize } from '../domain/demoState.ts'
import { fillingOf } from '../domain/demoState.ts'
import { Refused } from '../exitMessage.ts'
import { openFiles } from '../files/fileStore.ts'
import { runCommand } from '../runCommand.ts'

const HELP = `Fills an empty database with the demo marketplace.

  npm run seed -- --size demo|mid|large [--seed word]

The same seed gives the same data. An interrupted run continues when it is started again.`

function readSize(values: { size?: string | undefined; seed?: string | undefined }): { size: DemoSize; word: string } {
  const size = values.size ?? 'demo'
  if (!DEMO_SIZES.some((one) => one === size)) throw new Refused(`There is no size ${size}.\n\n${HELP}`)
  return { size: size as DemoSize, word: values.seed ?? 'fieldwork' }
}

async function run({ size, word }: { size: DemoSize; word: string }): Promise<void> {
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  // A server must not use the folder while the demo data is written.
  const leave = acquireDataDir(settings.dataDir)
  process.on('exit', leave)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  const database = connect(
    settings.directUrl ? { url: settings.directUrl, poolSize: 2 } : { file: join(settings.dataDir, 'fieldwork.db') },
  )
  try {
    await migrate(database)
    const filling = await fillingOf(database.db)
    if (filling.is === 'own') throw new NotEmpty('The database isn’t empty. Demo data can only go into an empty one.')
    if (filling.is === 'demo' && filling.state.whole)
      throw new NotEmpty(`The database already contains demo data (size ${filling.state.size}).`)
    if (filling.is === 'demo' && filling.state.size !== size)
      console.log(`Continuing an interrupted run of size ${filling.state.size}.`)
    const began = Date.now()
    const files = await openFiles(settings)
    const { size: made } = await seed(database, {
      size,
      seed: word,
      timeZone: settings.timeZone,
      files,
      progress: barOf(`Seeding ${size}`),
    })
    console.log(`Done in ${Math.round((Date.now() - began) / 1000)} s: size ${made}.`)
    console.log(`  ${DEMO_LOGINS.admin} and ${DEMO_LOGINS.client}, both with the password ${DEMO_LOGINS.password}`)
  } finally {
    await database.close()
  }
}

await runCommand(HELP, { size: { type: 'string' }, seed: { type: 'string' } }, 0, (values) =>
  run(readSize(values)).catch((error: unknown) => {
    throw error instanceof NotEmpty ? new Refused(error.message) : error
  }),
)
