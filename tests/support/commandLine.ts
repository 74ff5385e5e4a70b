import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { COMPILED } from './server.ts'

export const LAUNCHER = resolve(import.meta.dirname, '../../cli/fieldwork.mjs')

/** The output of a run of the command line, and its exit code. */
export interface Ran {
  code: number | null
  out: string
  err: string
}

/** Runs the command line in a folder with only these settings, and this standard input. */
export async function commandLine(args: readonly string[], env: Record<string, string>, cwd: string, piped = ''): Promise<Ran> {
  const { PATH } = process.env
  const child = spawn(process.execPath, [LAUNCHER, ...args], { cwd, env: { PATH, HOME: cwd, ...COMPILED, ...env } })
  const output = { out: '', err: '' }
  child.stdout.on('data', (text) => (output.out += String(text)))
  child.stderr.on('data', (text) => (output.err += String(text)))
  child.stdin.on('error', () => {})
  child.stdin.end(piped)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, ...output }
}
