import { type ParseArgsConfig, parseArgs } from 'node:util'
import { loadEnvFile } from './core/envFile.ts'
import { RELEASE } from './core/release.ts'
import { nearlySpelled } from './core/settings.ts'
import { giveUp, Refused } from './exitMessage.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>['values']

const ALWAYS = { help: { type: 'boolean' }, version: { type: 'boolean' }, 'env-file': { type: 'string' } } as const

/** What every command of an installation takes. */
const ENV_FILE =
  '--env-file /etc/fieldwork.env takes the settings that the environment lacks from a file, as systemd and Docker read it.'

/** The settings that came from `--env-file`. */
export const settingsFromFile = new Set<string>()

/** Reads a command's arguments, prints its help if asked to, and takes settings from `--env-file`; throws Refused. */
export function readArguments<const O extends Options>(
  help: string,
  options: O,
  most = 0,
): { values: Values<O>; positionals: string[] } {
  const parsed = parseArgs({ allowPositionals: true, options: { ...options, ...ALWAYS } })
  const values = parsed.values as Values<O> & { help?: boolean; version?: boolean; 'env-file'?: string }
  if (values.help) {
    console.log(`${help}\n\n${ENV_FILE}`)
    process.exit(0)
  }
  if (values.version) {
    console.log(RELEASE)
    process.exit(0)
  }
  if (parsed.positionals.length > most) throw new Refused(help)
  const file = values['env-file']
  if (file !== undefined) {
    const { taken, ignored } = loadEnvFile(file, process.env)
    for (const name of taken) settingsFromFile.add(name)
    for (const sentence of ignored) console.error(sentence)
  }
  for (const sentence of nearlySpelled(Object.keys(process.env))) console.error(sentence)
  return { values, positionals: parsed.positionals }
}

/**
 * Runs a command with its arguments, at most `most` of them beside options, to its end.
 * What it throws, or what nobody caught, ends it by `giveUp`.
 */
export async function runCommand<const O extends Options>(
  help: string,
  options: O,
  most: number,
  work: (values: Values<O>, positionals: string[]) => Promise<void>,
): Promise<void> {
  process.on('uncaughtException', giveUp)
  try {
    const { values, positionals } = readArguments(help, options, most)
    await work(values, positionals)
  } catch (error) {
    giveUp(error)
  }
}
