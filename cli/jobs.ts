import { createWriteStream, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Job } from '../contract/job.ts'
import { UsageError } from '../verbs/errors.ts'
import { plain } from '../verbs/values.ts'
import { ExitError } from './errors.ts'
import type { Remote } from './remote.ts'

/** Free names for a file in the working folder, so that a server can't choose another folder or overwrite a file. */
export function* namesFor(suggested: string): Generator<string> {
  const name = basename(plain(suggested).replaceAll('\\', '/')).replace(/^\.+/, '') || 'download'
  yield name
  const end = extname(name)
  for (let at = 2; at < 1000; at++) yield `${name.slice(0, name.length - end.length)} (${at})${end}`
}

/** Throws for a file that exists, before anything is sent: no command writes over one. */
export function refuseExisting(output: string): void {
  if (output !== '-' && statSync(output, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${output} exists already. Choose another name with --output.`)
}

/** Writes a response's body to a file, or to standard output for `-`; returns the file's name. */
export async function save(answer: Response, suggested: string, output?: string): Promise<string> {
  const body = answer.body ? Readable.fromWeb(answer.body as never) : Readable.from([])
  if (output === '-') {
    await pipeline(body, process.stdout, { end: false })
    return '-'
  }
  if (output) {
    refuseExisting(output)
    const isDevice = statSync(output, { throwIfNoEntry: false }) !== undefined
    await pipeline(body, createWriteStream(output, { flags: isDevice ? 'w' : 'wx' }))
    return output
  }
  for (const name of namesFor(suggested)) {
    const file = createWriteStream(name, { flags: 'wx' })
    const opened = await new Promise<boolean>((resolve, reject) => {
      file.once('open', () => resolve(true))
      file.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? resolve(false) : reject(error)))
    })
    if (!opened) continue
    await pipeline(body, file)
    return name
  }
  throw new ExitError(`Too many files are named ${suggested}. Choose another name with --output.`)
}

/** Saves a finished job's file under its own or the given name; null if it has none. */
export async function saveJob(
  remote: Remote,
  job: Job,
  output: string | undefined,
  signal?: AbortSignal,
): Promise<string | null> {
  if (!job.download) return null
  return save(await remote.file(job.download, signal), String(job.result.file_name ?? `job-${job.id}`), output)
}
