import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { leftover } from './leftovers.ts'

/** A real S3 server in its own process, with the bucket `fieldwork`. */
export interface S3 {
  /** The value of FILES_URL; a key that it doesn't have, or another bucket, is refused. */
  filesUrl(other?: { key?: string; secret?: string; bucket?: string }): string
  /** Replaces the access keys that it takes, each with its secret; at first only S3RVER. */
  setKeys(keys: Readonly<Record<string, string>>): Promise<void>
  /** The keys of all objects in the bucket. */
  keys(): string[]
  /** Puts many small objects directly into its folder; `prune` deletes a folder of keys. */
  plant(keys: readonly string[], content: string): void
  prune(folder: string): void
  /** Stops it, and restarts it at the same address with its content. */
  away(): Promise<void>
  back(): Promise<void>
  stop(): Promise<void>
}

const SUFFIX = '._S3rver_object'

export async function startS3(): Promise<S3> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-s3-'))
  let child: ChildProcess | undefined
  let port = 0
  const away = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const running = child
    const ended = new Promise((resolve) => running.once('close', resolve))
    running.kill('SIGKILL')
    await ended
  }
  const stop = leftover(async () => {
    await away()
    rmSync(folder, { recursive: true, force: true })
  })
  const back = async () => {
    ;({ child, port } = await launch(folder, port))
  }
  await back()
  return {
    filesUrl: ({ key = 'S3RVER', secret = 'S3RVER', bucket = 'fieldwork' } = {}) =>
      `s3://${key}:${secret}@${bucket}/files?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    async setKeys(keys) {
      const done = once(child!.stdout!, 'data')
      child!.stdin!.write(`${JSON.stringify(keys)}\n`)
      await done
    },
    keys: () =>
      readdirSync(join(folder, 'fieldwork'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length)),
    plant(keys, content) {
      for (const key of keys) {
        const path = join(folder, 'fieldwork', `${key}${SUFFIX}`)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, content)
      }
    },
    prune: (keys) => rmSync(join(folder, 'fieldwork', keys), { recursive: true }),
    away,
    back,
    stop,
  }
}

async function launch(folder: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  // Its page tokens use a cipher that modern OpenSSL only has in legacy mode.
  const child = spawn(process.execPath, ['--openssl-legacy-provider', join(import.meta.dirname, 's3-server.ts')], {
    env: { PATH: process.env.PATH, FOLDER: folder, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        const [, printedPort] = /^port (\d+)$/m.exec(printed) ?? []
        if (printedPort) resolve({ child, port: Number(printedPort) })
      })
    child.once('close', () => reject(new Error(`The S3 server did not start. It printed:\n${printed}`)))
  })
}
