import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf, sqliteErrors } from '../db/dbErrors.ts'

let fault = ''
try {
  const database = new DatabaseSync(join(workerData as string, 'fieldwork.db'), { readOnly: true })
  const [found] = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
  if (found && found.quick_check !== 'ok') fault = found.quick_check.replace(/\s+/g, ' ')
  database.close()
} catch (error) {
  if (!sqliteErrors.isDamaged(error)) throw error
  fault = reasonOf(error)
}
if (fault) parentPort!.postMessage(fault)
