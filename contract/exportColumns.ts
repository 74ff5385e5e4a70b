/** Orders an export's column ids: the list's visible columns first, then the rest unless `only` is set. */
export function exportColumns(named: Readonly<Record<string, string>>, listed: readonly string[], only = false): string[] {
  const all = Object.keys(named)
  const shown = [...new Set(listed)].filter((id) => all.includes(id))
  return only ? shown : [...shown, ...all.filter((id) => !shown.includes(id))]
}
