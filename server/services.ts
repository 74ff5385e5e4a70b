import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Services } from './core/context.ts'
import { secretsOf } from './core/secrets.ts'
import type { Settings } from './core/settings.ts'
import { loadSigningKeys } from './core/signingKey.ts'
import { connect, type Database } from './db/connect.ts'
import { migrate, newerMigrations, oneWayMigrations } from './db/migrate.ts'
import { openReplicas, type Replicas } from './db/replicas.ts'
import { tellNews } from './domain/news/tellNews.ts'
import { openFiles } from './files/fileStore.ts'
import { openReaders } from './files/reader/openReaders.ts'
import { KINDS } from './jobRegistry.ts'
import { openJobs } from './jobs/jobs.ts'
import { openLive } from './live/live.ts'
import { openMailer } from './mail/mailer.ts'
import { recordFor } from './webhooks/deliveredRecord.ts'

/** The longest a statement of a call may take on PostgreSQL (ms); jobs have their own limit. */
const PATIENCE_MS = 60_000

/** Warns of an upgrade after which no older release can be started. */
async function warnOfOneWay(database: Database, log: FastifyBaseLogger): Promise<void> {
  const names = await oneWayMigrations(database)
  if (names.length)
    log.warn(`this upgrade is one-way: after ${names.join(', ')} only a backup from before leads back to an older release`)
}

/** Migrates PostgreSQL over a connection of its own, because a migration may exceed the statement timeout. */
async function migrateAtLeisure(url: string, log: FastifyBaseLogger): Promise<void> {
  const database = connect({ url, poolSize: 2 })
  try {
    await warnOfOneWay(database, log)
    for (const name of await migrate(database)) log.info(`migrated: ${name}`)
  } finally {
    await database.close()
  }
}

/** Creates the services: the migrated database, mail, files, jobs and live events. */
export async function createServices(settings: Settings, log: FastifyBaseLogger): Promise<Services> {
  const { databaseUrl, directUrl } = settings
  if (directUrl) await migrateAtLeisure(directUrl, log)
  const database = connect(
    databaseUrl
      ? { url: databaseUrl, patience: PATIENCE_MS, ...(directUrl !== databaseUrl && { direct: directUrl! }) }
      : { file: join(settings.dataDir, 'fieldwork.db') },
  )
  try {
    if (!databaseUrl) await warnOfOneWay(database, log)
    for (const name of databaseUrl ? [] : await migrate(database)) log.info(`migrated: ${name}`)
    const unlimited = await database.unlimited()
    if (unlimited) log.warn(unlimited)
    const newer = await newerMigrations(database)
    if (newer.length)
      log.warn(
        `the database was changed by a newer release (${newer.join(', ')}): this older one keeps running until it is replaced`,
      )
    const live = await openLive(database)
    live.watch((there) => {
      const refusal = database.refusal()
      if (there) log.info('the database is available again')
      else log.warn(refusal ? `the database refuses new connections: ${refusal}` : 'the database is unavailable')
    })
    const files = await openFiles(settings)
    const services: Services = {
      settings,
      database,
      replicas: await replicasOf(settings, log),
      log,
      live,
      secrets: secretsOf(await loadSigningKeys(database, settings, new Date())),
      mailer: openMailer(settings),
      files,
      readers: openReaders(files, log),
      jobs: openJobs(() => services, KINDS),
      tellNews,
      readRecord: (caller, noun, id) => recordFor(services, caller, noun, id),
      contents: { looked: 0, missing: 0 },
      stopping: false,
      now: () => new Date(),
    }
    return services
  } catch (error) {
    await database.close()
    throw error
  }
}

async function replicasOf({ readUrls }: Settings, log: FastifyBaseLogger): Promise<Replicas | null> {
  if (!readUrls.length) return null
  return openReplicas(readUrls, PATIENCE_MS, (index, available) => {
    const which = `read replica ${index + 1} of ${readUrls.length}`
    if (available) log.info(`${which} is available`)
    else log.warn(`${which} is unavailable: the primary does its reads`)
  })
}

/** Closes the services in the order that lets running work finish. */
export async function closeServices(services: Services): Promise<void> {
  await services.jobs.close()
  services.readers.close()
  await services.mailer.close()
  await services.live.close()
  await services.replicas?.close()
  await services.database.close()
}
