import { activePane, type Layout, MAX_COLUMNS, shownIn } from './layout.ts'
import { readQuery, resolve } from './match.ts'
import { encodeQuery } from './routes.ts'

/** What a link says: one ref a column, which of them is the page, and perhaps a command to fill in (never to run). */
export interface LinkedLayout {
  refs: readonly string[]
  at: number
  linked: boolean
  doing: { command: string; answers: Record<string, string> } | null
}

/** Keys of the address that are the workspace's; a pane's own query can't use them, nor can a command's question. */
export const RESERVED = new Set(['beside', 'at', 'linked', 'do'])

/** The address of a layout: the path is the active pane, `beside` the others (workspace.md, Links). */
export function linkOf(layout: Layout): string {
  const besides = layout.columns.flatMap((column, i) => (i === layout.active ? [] : [`beside=${neighbour(shownIn(column).ref)}`]))
  const at = layout.active > 0 ? [`at=${layout.active}`] : []
  return join(activePane(layout).ref, [...besides, ...at, ...(layout.linked ? ['linked=1'] : [])])
}

/** The address of one pane alone. */
export const linkOfRef = (ref: string): string => join(ref, [])

/** The address that opens the palette with a command filled in, at its review. */
export const commandLink = (ref: string, command: string, answers: Readonly<Record<string, string | number>>): string =>
  join(ref, [
    `do=${encodeQuery(command)}`,
    ...Object.entries(answers).map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(String(value))}`),
  ])

function join(ref: string, more: readonly string[]): string {
  const [path = '', search = ''] = ref.split('?', 2)
  const own = Object.entries(readQuery(search)).flatMap(([key, value]) =>
    RESERVED.has(key) ? [] : [`${encodeQuery(key)}=${encodeQuery(value)}`],
  )
  // A key that begins with `amp;` would read as what some programs make of `&`.
  const query = [...own, ...more].join('&').replaceAll('&amp;', '&amp%3B')
  // A chat program leaves the end of a sentence out of the link it makes.
  return (query ? `${path}?${query}` : path).replace(END, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** What ends a sentence and not a link of ours. */
const END = /[.,:;!?)']$/

/** Undoes what chat and mail programs do to a link: the point after it, `&amp;`, its fragment. */
export const mended = (url: string): string =>
  url
    .replace(/#.*$/s, '')
    .replaceAll('&amp;', '&')
    .replace(/[.,:;!?)\]]+$/, '')

/** `/dashboard/project-info/4790/dashboard?age=2,3` is written `/project-info/4790/dashboard;age=2,3`. */
function neighbour(ref: string): string {
  const [path = '', search = ''] = ref.split('?', 2)
  const own = Object.entries(readQuery(search)).filter(([key]) => !RESERVED.has(key))
  const text = [path.replace(/^\/dashboard(?=\/)/, ''), ...own.map(([key, value]) => `${armour(key)}=${armour(value)}`)].join(';')
  return encodeURIComponent(text.toWellFormed()).replace(/%(2C|2F|3A|3B|3D|40)/g, (code) => decodeURIComponent(code))
}

const armour = (text: string) => text.replace(/[%;=]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
const disarm = (text: string) => text.replace(/%(25|3B|3D)/gi, (code) => decodeURIComponent(code))

/** Reads an address: the page with its neighbours. Never throws; a bad neighbour keeps its text and becomes an error pane. */
export function readLink(address: string): LinkedLayout {
  const url = mended(address)
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const own: [string, string][] = []
  const besides: string[] = []
  let at = 0
  let linked = false
  let doing: LinkedLayout['doing'] = null
  for (const [key, value] of new URLSearchParams(cut < 0 ? '' : url.slice(cut))) {
    if (key === 'beside') besides.push(readNeighbour(value))
    else if (key === 'at') at = /^\d$/.test(value) ? Number(value) : 0
    else if (key === 'linked') linked = value === '1'
    else if (key === 'do') doing = { command: value, answers: {} }
    else if (doing) doing.answers[key] = value
    else own.push([key, value])
  }
  const refs = besides.slice(0, MAX_COLUMNS - 1)
  const place = Math.min(at, refs.length)
  refs.splice(place, 0, refOf(path, own))
  return { refs, at: place, linked: linked && refs.length > 1, doing }
}

function readNeighbour(text: string): string {
  // Encoded once more on the way: its first slash shows it.
  const [path = '', ...pairs] = (/^%2F/i.test(text) ? decoded(text) : text).split(';')
  const query: [string, string][] = []
  for (const pair of pairs) {
    const cut = pair.indexOf('=')
    if (cut > 0) query.push([disarm(pair.slice(0, cut)), disarm(pair.slice(cut + 1))])
    // A `;` that lost its escape on the way is part of the value before it.
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

/** A ref in its canonical spelling; of an unknown path, as it was written. */
function refOf(path: string, query: readonly (readonly [string, string])[]): string {
  const text = Object.entries(Object.fromEntries(query))
    .filter(([key]) => !RESERVED.has(key))
    .map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`)
    .join('&')
  const ref = text ? `${path}?${text}` : path
  return resolve(ref)?.ref ?? (ref.startsWith('/') ? ref : `/${ref}`)
}
