import { readFileSync } from 'node:fs'
import { SettingsError } from './settings.ts'

/*
 * The settings of `--env-file`, a file that systemd, Docker and this parser read alike.
 * Where they differ, a line is refused, because a password cut at a # or $ is worse than a sentence.
 * Node's own parser cuts an unquoted value at #, Compose replaces $NAME, and each has escapes of its own.
 */

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Reads the text of an env file; throws a SettingsError that names every line it can't take. */
export function parseEnvFile(text: string, name: string): Map<string, string> {
  const settings = new Map<string, string>()
  const faults: string[] = []
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const plain = line.trim()
    if (!plain || plain.startsWith('#')) continue
    const cut = plain.indexOf('=')
    const key = plain.slice(0, Math.max(0, cut)).trimEnd()
    const value = NAME.test(key) ? plainValue(plain.slice(cut + 1).trim()) : null
    const fault = !NAME.test(key)
      ? 'must be NAME=value, without “export”, or a comment that begins with #'
      : settings.has(key)
        ? `sets ${key} a second time`
        : value === null && faultOfValue(plain.slice(cut + 1).trim(), key)
    // The sentence must not repeat the value, which may be a password.
    if (fault) faults.push(`Line ${at + 1} of ${name} ${fault}.`)
    else settings.set(key, value!)
  }
  if (faults.length) throw new SettingsError(faults.join('\n'))
  return settings
}

const QUOTED = /^(?:'[^'\\]*'|"[^"\\$`]*")$/
/** A value that every parser reads alike without quotes. */
const BARE = /^[^\s'"`\\$#](?:[^'"`\\$#\p{Cc}]*)$/u

function plainValue(value: string): string | null {
  if (value === '' || BARE.test(value)) return value
  return QUOTED.test(value) ? value.slice(1, -1) : null
}

const faultOfValue = (value: string, key: string): string =>
  /['\\]/.test(value.replace(/^'(.*)'$/, '$1'))
    ? `has a quote or a backslash in ${key}, which systemd and Docker read differently: encode it in an address (%27, %5C), or choose another value`
    : `needs single quotes around the value of ${key}, because it has # or $, or quotes that don’t match`

/**
 * Adds the settings of a file to the environment, in which a variable that is set and not empty wins.
 * Returns the names that were taken, and a sentence for each that differs.
 */
export function loadEnvFile(path: string, env: Record<string, string | undefined>): { taken: string[]; ignored: string[] } {
  const [taken, ignored]: [string[], string[]] = [[], []]
  for (const [key, value] of parseEnvFile(readFileSync(path, 'utf8'), path)) {
    if (!env[key]) {
      env[key] = value
      taken.push(key)
    } else if (env[key] !== value) ignored.push(`${key} is taken from the environment, not from ${path}.`)
  }
  return { taken, ignored }
}
