import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { chosenText, DEMOGRAPHICS, demographicsOf } from './demographicFilters.ts'

/** Demographic filters as a row of chips, stored in the pane's link; `otherEthnicity` if respondents have one. */
export function FilterBar({ generation, otherEthnicity }: { generation: string; otherEthnicity: boolean }) {
  const { query, setQuery } = usePane()
  const any = DEMOGRAPHICS.some(({ key }) => query[key])
  const toggle = (key: string, value: string) => {
    const before = (query[key] ?? '').split(',').filter(Boolean)
    const next = before.includes(value) ? before.filter((one) => one !== value) : [...before, value]
    setQuery({ [key]: next.join(',') || null })
  }
  return (
    <fieldset aria-label="Demographic filters" className="flex min-w-0 flex-wrap items-center gap-1.5">
      {demographicsOf(generation, generation === 'campaign' || otherEthnicity || query.ethnicity?.includes('other')).map(
        ({ key, label, terms }) => (
          <span key={key} data-filter={key}>
            <Menu
              label={label}
              align="start"
              trigger={<Chip label={label} value={chosenText(terms, query[key])} on={Boolean(query[key])} />}
              items={[
                { id: 'any', label: 'Any', checked: !query[key], one: true, onSelect: () => setQuery({ [key]: null }) },
                ...terms.map((term) => ({
                  id: String(term.value),
                  label: term.label,
                  checked: (query[key] ?? '').split(',').includes(String(term.value)),
                  stays: true,
                  onSelect: () => toggle(key, String(term.value)),
                })),
              ]}
            />
          </span>
        ),
      )}
      {any && (
        <Button
          data-view=""
          variant="ghost"
          onClick={() => setQuery(Object.fromEntries(DEMOGRAPHICS.map(({ key }) => [key, null])))}
        >
          Clear filters
        </Button>
      )}
    </fieldset>
  )
}
