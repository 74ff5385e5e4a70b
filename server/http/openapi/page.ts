import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ruleOf } from '../../../contract/access.ts'
import type { Call } from '../../../contract/call.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import { FOR } from './document.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The API's documentation as a page, by noun. */
export async function readablePage(): Promise<string> {
  const byNoun = Object.groupBy(Object.entries(calls) as [string, Call][], ([id]) => id.split('.')[0]!)
  const fieldsOf = (row: Call) => {
    const schema = z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Record<string, { type?: string; enum?: unknown[] }>
      required?: string[]
    }
    return Object.entries(schema.properties ?? {})
      .map(
        ([name, field]) =>
          `<code>${escapeHtml(name)}</code>${schema.required?.includes(name) ? '*' : ''}${field.enum ? ` <small>${escapeHtml(field.enum.join(' | '))}</small>` : field.type ? ` <small>${escapeHtml(String(field.type))}</small>` : ''}`,
      )
      .join(', ')
  }
  const sections: string[] = []
  for (const [noun, rows] of Object.entries(byNoun)) {
    await setImmediate()
    sections.push(
      `<section id="${noun}"><h2>${noun}</h2><dl>${rows!.map(([id, row]) => `<dt id="${id}"><b>${row.method}</b> <code>${escapeHtml(row.path)}</code> <small>${id}</small></dt><dd>${escapeHtml(row.about)} For ${FOR[ruleOf(id as CallId).who]}${ruleOf(id as CallId).key ? ', or an API key (<code>Authorization: Bearer fwk_…</code>)' : ''}.<br>${fieldsOf(row)}</dd>`).join('')}</dl></section>`,
    )
  }
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fieldwork API</title><link rel="stylesheet" href="/api-docs/style.css"><h1>Fieldwork API</h1><p>${Object.keys(calls).length} calls. Sign in with <a href="#session.signIn">session.signIn</a>; send back its headers <code>access-token</code>, <code>token-type</code>, <code>client</code>, <code>expiry</code>, <code>uid</code>. As a file: <a href="/openapi.json">openapi.json</a>. A star marks what is required.</p><nav>${Object.keys(
    byNoun,
  )
    .map((noun) => `<a href="#${noun}">${noun}</a>`)
    .join('')}</nav>${sections.join('')}</html>`
}

/** A separate file, because the content security policy forbids inline styles. */
export const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:960px;margin:32px auto;padding:0 16px;color-scheme:light dark}code{font:13px ui-monospace,monospace}dt{margin-top:16px}dd{margin:4px 0 0 16px}small{opacity:.75}nav a{margin-right:12px}'
