type Fields = Record<string, unknown>

const wholeNumber = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) ? value : null)

/**
 * The `Link` header of a list's page (RFC 8288), with the query as it was sent.
 * `next` has a cursor where the list has one, and stays right while records come and go; the others have page numbers.
 * `cursor` is the next page's: null on the last page, undefined for a list without cursors.
 * Null for a response that isn't a page, or whose size or count is missing.
 */
export function linksOf(url: string, input: unknown, answer: unknown, cursor?: string | null): string | null {
  const { page, per_page, cursor: sent } = (input ?? {}) as Fields
  const { count = (answer as { data?: Fields } | null)?.data?.count, page_size } = (answer ?? {}) as Fields
  const [at, size, all] = [wholeNumber(page), wholeNumber(per_page) ?? wholeNumber(page_size), wholeNumber(count)]
  if (at === null || !size || (all === null && cursor === undefined)) return null
  const last = Math.max(1, Math.ceil((all ?? 0) / size))
  const [path = '', query = ''] = url.split('?')
  const link = (rel: string, name: 'page' | 'cursor', to: number | string): string => {
    const params = new URLSearchParams(query)
    params.delete('page')
    params.delete('cursor')
    params.set(name, String(to))
    return `<${path}?${params}>; rel="${rel}"`
  }
  const next = cursor ? [link('next', 'cursor', cursor)] : cursor === undefined && at < last ? [link('next', 'page', at + 1)] : []
  if (sent !== undefined || all === null) return [link('first', 'page', 1), ...next].join(', ')
  return [
    link('first', 'page', 1),
    ...(at > 1 ? [link('prev', 'page', Math.min(at - 1, last))] : []),
    ...next,
    link('last', 'page', last),
  ].join(', ')
}
