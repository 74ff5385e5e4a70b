import { writeClipboard } from '../data/clipboard.ts'
import type { Result } from './command.ts'

/** How many rows of a table were copied; `blocked` is its text if the browser refused. */
export interface CopiedRows {
  rows: number
  blocked: string | null
}

const BLOCKED = 'Your browser blocked copying.'

/** Copies a text. Without TLS, or if the browser refuses, shows it under `title` for copying by hand. */
export async function copyText(text: string, note: string, title: string): Promise<Result> {
  try {
    await writeClipboard(text)
    return { note }
  } catch {
    return { dialog: { title, body: BLOCKED, copy: text } }
  }
}

/** Reports a copied table, or shows it under `title` for copying by hand. */
export const copiedRows = ({ rows, blocked }: CopiedRows, title: string): Result =>
  blocked === null
    ? { note: `Copied ${rows} ${rows === 1 ? 'row' : 'rows'}` }
    : { dialog: { title, body: BLOCKED, copy: blocked } }
