import { resolve, sep } from 'node:path'
import type { Plugin } from 'vite'

const WORDS = /\b(?:about|where|example): (?:'(?:[^'\\]|\\.)*'|true|false|\d[\d_.]*),?/g

/** A table of fields without their sentences and examples, which only the server reads. */
export const withoutWords = (code: string): string => code.replace(WORDS, '')

/** Keeps sentences and examples of /openapi.json out of the workspace's scripts. */
export function fieldWords(root = process.cwd()): Plugin {
  const contract = resolve(root, 'contract') + sep
  return {
    name: 'fieldwork:field-words',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(contract) || !id.endsWith('Fields.ts')) return null
      return { code: withoutWords(code), map: null }
    },
  }
}
