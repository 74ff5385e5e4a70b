type Fields = Record<string, unknown>

const wholeNumber = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) ? value : null)

/**
 * The `Link` header of a list's page (RFC 8288): first, prev, next and last, with the query as it was sent.
 * Null for a response that isn't a page, or whose size or count is missing.
 */
export function linksOf(url: string, input: unknown, answer: unknown): string | null {
  const { page, per_page } = (input ?? {}) as Fields
  const { count = (answer as { data?: Fields } | null)?.data?.count, page_size } = (answer ?? {}) as Fields
  const [at, size, all] = [wholeNumber(page), wholeNumber(per_page) ?? wholeNumber(page_size), wholeNumber(count)]
  if (at === null || !size || all === null) return null
  const last = Math.max(1, Math.ceil(all / size))
  const [path = '', query = ''] = url.split('?')
  const link = (rel: string, to: number): string => {
    const params = new URLSearchParams(query)
    params.set('page', String(to))
    return `<${path}?${params}>; rel="${rel}"`
  }
  return [
    link('first', 1),
    ...(at > 1 ? [link('prev', Math.min(at - 1, last))] : []),
    ...(at < last ? [link('next', at + 1)] : []),
    link('last', last),
  ].join(', ')
}
