import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { COMPILED } from './server.ts'

const root = resolve(import.meta.dirname, '../..')

/** Runs a command to its end, like `npm run`, with only these settings. */
export async function runCli(command: string, args: string[], settings: Record<string, string | undefined>) {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, ...COMPILED, ...settings }
  const child = spawn(process.execPath, [`server/cli/${command}.ts`, ...args], { cwd: root, env })
  const output = { out: '', err: '' }
  child.stdout.on('data', (text) => (output.out += String(text)))
  child.stderr.on('data', (text) => (output.err += String(text)))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, ...output }
}
