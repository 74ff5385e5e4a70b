import { withoutEnd } from '../../contract/textEnds.ts'
import { activePane, type Layout, MAX_COLUMNS, shownIn } from './layout.ts'
import { readQuery, resolve } from './match.ts'
import { encodeQuery } from './routes.ts'

/** A link's content: a ref per column, the active column, and perhaps a command to fill in, which never runs. */
export interface LinkedLayout {
  refs: readonly string[]
  at: number
  linked: boolean
  command: { command: string; answers: Record<string, string> } | null
}

/** Query keys of the workspace; neither a pane nor a command's question may use them. */
export const RESERVED = new Set(['beside', 'at', 'linked', 'do'])
/** `at` is the workspace's if its value is a column; any other value is the pane's, such as a step of a quote. */
const isReserved = (key: string, value: string): boolean => (key === 'at' ? isColumn(value) : RESERVED.has(key))
const isColumn = (value: string): boolean => /^\d?$/.test(value)

/** Returns a layout's URL: the path is the active pane, `beside` the others (workspace.md, Links). */
export function linkOf(layout: Layout): string {
  const besides = layout.columns.flatMap((column, i) => (i === layout.active ? [] : [`beside=${neighbour(shownIn(column).ref)}`]))
  const at = layout.active > 0 ? [`at=${layout.active}`] : []
  return join(activePane(layout).ref, [...besides, ...at, ...(layout.linked ? ['linked=1'] : [])])
}

/** Returns the URL of a single pane. */
export const linkOfRef = (ref: string): string => join(ref, [])

/** Returns the URL that opens the palette with a command filled in, at its review. */
export const commandLink = (ref: string, command: string, answers: Readonly<Record<string, string | number>>): string =>
  join(ref, [
    `do=${encodeQuery(command)}`,
    ...Object.entries(answers).map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(String(value))}`),
  ])

function join(ref: string, more: readonly string[]): string {
  const [path = '', search = ''] = ref.split('?', 2)
  const own = Object.entries(readQuery(search)).flatMap(([key, value]) =>
    isReserved(key, value) ? [] : [`${encodeQuery(key)}=${encodeQuery(value)}`],
  )
  // Some programs write `&` as `&amp;`, so a key that starts with `amp;` would be misread.
  const query = [...own, ...more].join('&').replaceAll('&amp;', '&amp%3B')
  // Chat programs exclude final punctuation from the links they create.
  return (query ? `${path}?${query}` : path).replace(END, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Punctuation that ends a sentence but none of our links. */
const END = /[.,:;!?)']$/

/** Repairs links damaged by chat and mail programs: a trailing period, `&amp;`, a fragment. */
export const mended = (url: string): string =>
  withoutEnd(url.replace(/#.*$/s, '').replaceAll('&amp;', '&'), (sign) => '.,:;!?)]'.includes(sign))

/** Encodes a pane beside: `/dashboard/project-info/4790/dashboard?age=2,3` → `/project-info/4790/dashboard;age=2,3`. */
function neighbour(ref: string): string {
  const [path = '', search = ''] = ref.split('?', 2)
  const own = Object.entries(readQuery(search)).filter(([key, value]) => !isReserved(key, value))
  const text = [path.replace(/^\/dashboard(?=\/)/, ''), ...own.map(([key, value]) => `${armour(key)}=${armour(value)}`)].join(';')
  return encodeURIComponent(text.toWellFormed()).replace(/%(2C|2F|3A|3B|3D|40)/g, (code) => decodeURIComponent(code))
}

const armour = (text: string) => text.replace(/[%;=]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
const disarm = (text: string) => text.replace(/%(25|3B|3D)/gi, (code) => decodeURIComponent(code))

/** Parses a URL into the page and its panes beside. Never throws; an invalid one becomes an error pane. */
export function readLink(address: string): LinkedLayout {
  const url = mended(address)
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const own: [string, string][] = []
  const besides: string[] = []
  let at = 0
  let linked = false
  let pending: LinkedLayout['command'] = null
  for (const [key, value] of new URLSearchParams(cut < 0 ? '' : url.slice(cut))) {
    if (key === 'beside') besides.push(readNeighbour(value))
    else if (key === 'at' && isColumn(value)) at = Number(value)
    else if (key === 'linked') linked = value === '1'
    else if (key === 'do') pending = { command: value, answers: {} }
    else if (pending) pending.answers[key] = value
    else own.push([key, value])
  }
  const refs = besides.slice(0, MAX_COLUMNS - 1)
  const place = Math.min(at, refs.length)
  refs.splice(place, 0, refOf(path, own))
  return { refs, at: place, linked: linked && refs.length > 1, command: pending }
}

function readNeighbour(text: string): string {
  // An escaped first slash shows that it was encoded twice in transit.
  const [path = '', ...pairs] = (/^%2F/i.test(text) ? decoded(text) : text).split(';')
  const query: [string, string][] = []
  for (const pair of pairs) {
    const cut = pair.indexOf('=')
    if (cut > 0) query.push([disarm(pair.slice(0, cut)), disarm(pair.slice(cut + 1))])
    // A `;` that lost its escape in transit belongs to the preceding value.
    else if (cut < 0 && query.length) query.at(-1)![1] += `;${disarm(pair)}`
  }
  return refOf(path, query)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a ref in canonical form; an unknown path is kept as written. */
function refOf(path: string, query: readonly (readonly [string, string])[]): string {
  const text = Object.entries(Object.fromEntries(query))
    .filter(([key, value]) => !isReserved(key, value))
    .map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`)
    .join('&')
  const ref = text ? `${path}?${text}` : path
  return resolve(ref)?.ref ?? (ref.startsWith('/') ? ref : `/${ref}`)
}
