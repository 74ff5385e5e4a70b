import { nearest } from '../../contract/nearest.ts'

/** A row of a table of numbers that one setting changes: its usual value, and what it counts. */
export interface Amount {
  usual: number
  about: string
}

interface Range {
  /** The setting that changes the table. */
  setting: string
  least: number
  most: number
  /** What a value is, in its sentence: `a whole number from 1 to 10`. */
  range: string
}

/** Reads `name=number,…` over a table's usual values; adds a sentence to `faults` for each wrong part. */
export function readAmounts<Name extends string>(
  table: Readonly<Record<Name, Amount>>,
  { setting, least, most, range }: Range,
  text: string,
  faults: string[],
): Record<Name, number> {
  const names = Object.keys(table) as Name[]
  const amounts = Object.fromEntries(names.map((name) => [name, table[name].usual])) as Record<Name, number>
  const seen = new Set<string>()
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [name = '', amount = '', ...more] = part.split('=')
    const near = nearest(name, names)
    const number = /^\d{1,10}$/.test(amount) && !more.length ? Number(amount) : Number.NaN
    if (!(names as string[]).includes(name))
      faults.push(`${setting} has no "${name}"${near ? `: is ${near} meant?` : '.'} It has ${names.join(', ')}.`)
    else if (seen.has(name)) faults.push(`${setting} has ${name} twice.`)
    else if (!(number >= least && number <= most))
      faults.push(`${setting}: ${name} must be ${range}, not "${part.slice(name.length + 1)}".`)
    else amounts[name as Name] = number
    seen.add(name)
  }
  return amounts
}
