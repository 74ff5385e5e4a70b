/** A response of the server; `undo` is the number that undoes its write. */
export interface Recorded {
  status: number
  body: unknown
  undo?: number
}

/** A write, its response, and the reads that differ after it. */
export interface Step {
  request: string
  answer: Recorded
  after: Readonly<Record<string, unknown>>
}

/** Answers of the demo as one person gets them: reads by their request, and series of writes. */
export interface Recording {
  reads: Readonly<Record<string, unknown>>
  series: Readonly<Record<string, readonly Step[]>>
}

/** A recording as it is stored: an object that occurs more than once is a part, named by its number. */
export interface Stored extends Recording {
  parts: readonly unknown[]
}
const PART = '#part'
/** Shorter objects are repeated. */
const LEAST = 120

/** Stores what occurs more than once in a recording once. */
export function pack({ reads, series }: Recording): Stored {
  const times = new Map<string, number>()
  const tally = (value: unknown): void => {
    if (!value || typeof value !== 'object') return
    const text = JSON.stringify(value)
    if (text.length < LEAST) return
    const known = times.get(text) ?? 0
    times.set(text, known + 1)
    if (!known) for (const one of Object.values(value)) tally(one)
  }
  tally({ reads, series })
  const numbers = new Map<string, number>()
  const parts: unknown[] = []
  const shorten = (value: unknown): unknown => {
    if (!value || typeof value !== 'object') return value
    const text = JSON.stringify(value)
    if ((times.get(text) ?? 0) < 2) return shortenInside(value)
    if (!numbers.has(text)) {
      const part = shortenInside(value)
      numbers.set(text, parts.length)
      parts.push(part)
    }
    return { [PART]: numbers.get(text) }
  }
  const shortenInside = (value: object): unknown =>
    Array.isArray(value)
      ? value.map(shorten)
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one)]))
  return { reads: shortenInside(reads), series: shortenInside(series), parts } as Stored
}

/** Reads a stored recording. */
export function unpack({ parts, ...recording }: Stored): Recording {
  const whole = (value: unknown): unknown => {
    if (!value || typeof value !== 'object') return value
    if (PART in value) return whole(parts[value[PART] as number])
    return Array.isArray(value)
      ? value.map(whole)
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]))
  }
  return whole(recording) as Recording
}

/** Names a request: method, path, query by name, and body. */
export function requestKey(method: string, url: string, body?: unknown): string {
  const { pathname, searchParams } = new URL(url, 'http://fieldwork.test')
  searchParams.sort()
  const query = decodeURIComponent(searchParams.toString())
  return [
    `${method} ${pathname}${query && `?${query}`}`,
    ...(body ? [JSON.stringify(Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))))] : []),
  ].join(' ')
}
