/** TABLE  fields by the other names that programs give them. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  expires_on: ['expiry', 'expire', 'expiration', 'valid_until', 'valid_to', 'until', 'ttl', 'lifetime', 'max_age', 'ends_on'],
  scopes: ['permissions', 'rights', 'grants', 'opens', 'access'],
  clients: ['companies', 'company', 'customers', 'limit', 'limits', 'only'],
  client_id: ['company_id', 'customer'],
  role_id: ['admin', 'is_admin', 'user_role'],
  team_ids: ['groups', 'group'],
  nouns: ['events', 'types', 'topics'],
}

/** The edit distance between two words; two letters that changed places count once. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j]!, before[j - 2]! + 1)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
/** Letters from which one word that begins with another may mean it. */
const LONG = 4

/** A name without case, marks and the endings by which spellings differ: `clientIds`, `client_id` and `clients`. */
const stemOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/ids?$|s$/, '')

/** The known name that a mistyped one most likely means; undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const stem = stemOf(word)
  const isAlike = (name: string) => stemOf(name) === stem || CALLED[name]?.some((other) => stemOf(other) === stem)
  const alike = stem ? known.find(isAlike) : undefined
  if (alike !== undefined) return alike
  const [near] = known
    .map((name) => ({
      name,
      far: name.startsWith(word) || (name.length >= LONG && word.startsWith(name)) ? 0 : distance(word.slice(0, 100), name),
    }))
    .filter(({ far, name }) => far <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.far - b.far)
  return near?.name
}
