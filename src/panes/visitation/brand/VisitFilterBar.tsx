import { useState } from 'react'
import type { Brand } from '../../../../contract/brand.ts'
import { readDate } from '../../../../contract/dates.ts'
import { PERIOD_WORDS, VISIT_PERIODS } from '../../../../contract/visitPeriod.ts'
import { useCall } from '../../../data/useCall.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { start } from '../../../runner/lazyRunner.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { AreaPicker } from '../../shared/AreaPicker.tsx'
import type { Dma } from '../../shared/dma.ts'
import type { VisitViewState } from './useVisitView.ts'
import { inOrder, rangeOf, showMarkets } from './visitView.ts'

/** Period, market areas, service and saved filter, all stored in the pane's link. */
export function VisitFilterBar({
  id,
  brand,
  state,
  dmas,
}: {
  /** 0 is all brands, which have no services to choose and no filters to save. */
  id: number
  brand: Brand | undefined
  state: VisitViewState
  dmas: readonly Dma[]
}) {
  const { view, today, wanted, filters, filter, changed, problem, before, setView, toggleBefore, openFilter } = state
  const [choosing, setChoosing] = useState(false)
  const range = rangeOf(view, today)
  const services = brand?.children ?? []
  const service = services.find(({ id }) => id === view.service)
  return (
    <fieldset aria-label="Filters" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1.5">
      <Menu
        label="Period"
        align="start"
        trigger={<Chip label="Period" value={PERIOD_WORDS[view.date]} on={view.date !== '30days'} />}
        items={VISIT_PERIODS.map((date) => ({
          id: date,
          label: PERIOD_WORDS[date],
          checked: view.date === date,
          one: true,
          onSelect: () => setView(date === 'custom' ? { date, ...range } : { date, start: '', end: '' }),
        }))}
      />
      {view.date === 'custom' && <Dates state={state} />}
      <Chip
        label="Markets"
        value={showMarkets(dmas, view.dmas)}
        on={view.dmas.length > 0}
        aria-haspopup="dialog"
        data-view=""
        onClick={() => setChoosing(true)}
        {...(view.dmas.length ? { onClear: () => setView({ dmas: [] }) } : {})}
      />
      {id > 0 && (
        <Menu
          label="Service"
          align="start"
          trigger={
            <Chip
              label="Service"
              value={service?.name ?? (!view.service ? 'all' : brand ? 'another' : '…')}
              className={view.service ? '@max-3xl:w-44' : ''}
              on={view.service !== null}
            />
          }
          items={[{ id: 0, name: 'All services' }, ...services].map(({ id, name }) => ({
            id: String(id),
            label: name,
            checked: (view.service ?? 0) === id,
            one: true,
            onSelect: () => setView({ service: id || null }),
          }))}
        />
      )}
      <Switch checked={before} onChange={toggleBefore}>
        <span className="text-meta text-muted">Period before</span>
      </Switch>
      {id > 0 && (
        // The saved filters arrive later, on the side where nothing is.
        <span className="narrow:min-h-8 ml-auto flex min-w-0 flex-row-reverse flex-wrap items-center gap-1.5 @max-3xl:ml-0 @max-3xl:flex-row @max-[15rem]:hidden">
          <CommandButton id="filter.save" plain>
            Save filter…
          </CommandButton>
          {(filters.length > 0 || wanted !== null) && (
            <Menu
              label="Saved filter"
              align="end"
              trigger={
                <Chip
                  label="Filter"
                  className="@max-3xl:max-w-36"
                  value={filter ? `${filter.filter_name}${changed ? ', changed' : ''}` : wanted === null ? 'none' : '…'}
                  on={filter !== null}
                />
              }
              items={[
                ...filters.map(({ filter_id, filter_name }) => ({
                  id: String(filter_id),
                  label: filter_name,
                  checked: filter?.filter_id === filter_id,
                  one: true,
                  onSelect: () => openFilter(filter_id),
                })),
                ...(filter
                  ? [
                      null,
                      { id: 'none', label: 'No saved filter', onSelect: () => openFilter(null) },
                      {
                        ...{ id: 'delete', label: `Delete “${filter.filter_name}”`, danger: true },
                        onSelect: () =>
                          start('filter.remove', { subjects: [], answers: { filter: String(filter.filter_id) }, via: 'menu' }),
                      },
                    ]
                  : []),
              ]}
            />
          )}
        </span>
      )}
      {problem && (
        <p role="alert" className="basis-full text-red-ink">
          {problem}
        </p>
      )}
      {choosing && <Markets state={state} onClose={() => setChoosing(false)} />}
    </fieldset>
  )
}

/** The first and last day of a custom period; without a last day it lasts five days. */
function Dates({ state: { view, today, setView, problem } }: { state: VisitViewState }) {
  const range = rangeOf(view, today)
  const set = (name: 'start' | 'end') => (typed: string) => {
    const day = readDate(typed)
    if (day || (!typed && name === 'end')) setView({ [name]: day ?? '' })
  }
  return (
    <span data-view="" className="flex items-center gap-1.5" aria-invalid={problem ? true : undefined}>
      <DateInput label="Start" value={view.start || range.start} onChange={set('start')} className="w-34 pointer-coarse:w-40" />
      <span className="text-muted">to</span>
      <DateInput label="End" value={view.end || range.end} onChange={set('end')} className="w-34 pointer-coarse:w-40" />
    </span>
  )
}

/** Market areas in columns of 70; each change applies immediately. */
function Markets({ state: { view, setView }, onClose }: { state: VisitViewState; onClose: () => void }) {
  const read = useCall('dma.list', {})
  const all = read.data?.dmas.map(({ dma_code }) => dma_code) ?? []
  const value = (view.dmas.length ? view.dmas : all).map(String)
  const choose = (codes: readonly string[]) => setView({ dmas: codes.length === all.length ? [] : inOrder(codes.map(Number)) })
  return (
    <Dialog
      open
      onClose={onClose}
      size="xl"
      title="Market areas"
      description="Space selects, Enter shows only one. With none selected, all are shown."
      footer={
        <>
          <Button data-view="" onClick={() => setView({ dmas: [] })}>
            All DMAs
          </Button>
          <Button data-view="" variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <AreaPicker read={read} value={value} onChange={choose} onOnly={(code) => choose([code])} />
    </Dialog>
  )
}
