import type { Call } from './call.ts'

/** TABLE  filters of reads by their older names, with the one name that programs use for the thing. */
const PROGRAM_NAMES: Readonly<Record<string, string>> = {
  client: 'client_id',
  partner: 'partner_id',
  service: 'service_id',
  bid: 'brand_id',
  sid: 'service_id',
}

/** The older names of a list's filters by the names that programs use. */
export function olderNames(names: readonly string[]): Readonly<Record<string, string>> {
  const pairs = names.flatMap((name) => {
    const programs = PROGRAM_NAMES[name]
    return programs && !names.includes(programs) ? [[programs, name] as const] : []
  })
  return Object.fromEntries(pairs)
}

const namesOf = ({ input }: Pick<Call, 'input'>): string[] => Object.keys((input as unknown as { shape?: object }).shape ?? {})

/** The other names by which a call takes its fields: its own, and for a read those of its filters. */
export const aliasesOf = (row: Pick<Call, 'input' | 'aliases' | 'method'>): Readonly<Record<string, string>> =>
  row.method === 'GET' ? { ...olderNames(namesOf(row)), ...row.aliases } : (row.aliases ?? {})

/** The name by which programs are told a field of a call. */
export function programName(row: Pick<Call, 'input' | 'method' | 'path'>, name: string): string {
  if (row.method !== 'GET' || row.path.includes(`{${name}}`)) return name
  return Object.entries(olderNames(namesOf(row))).find(([, older]) => older === name)?.[0] ?? name
}
