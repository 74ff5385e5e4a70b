import { Worker } from 'node:worker_threads'
import type { Services } from '../core/context.ts'

/** Looks through SQLite's file in a thread, so that nobody waits; damage is logged, and /healthz says it. */
export function checkInBackground({ database, settings, log }: Services): void {
  if (database.engine !== 'sqlite') return
  const worker = new Worker(new URL('./quickCheckThread.ts', import.meta.url), { workerData: settings.dataDir })
  worker.unref()
  worker.on('message', (fault: unknown) => {
    // `node --watch` sends messages of its own.
    if (typeof fault !== 'string') return
    database.noteDamage()
    log.error(`the database is damaged: ${fault}. Stop the server and restore a backup (docs/operating.md, "A damaged database")`)
  })
  // The check is an extra: it may fail where the disk is busy or full.
  worker.on('error', (error) => log.warn({ err: error }, 'the database could not be checked'))
}
