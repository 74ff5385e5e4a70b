import { loadAreas } from '../commands/commandAreas.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf } from '../commands/table.ts'
import { commandItems } from '../runner/CommandMenu.tsx'
import { start } from '../runner/lazyRunner.ts'
import { useKeys } from '../runner/useCommands.ts'
import { Chip } from '../ui/Chip.tsx'
import { ariaKeys, Kbd } from '../ui/Kbd.tsx'
import { Menu } from '../ui/Menu.tsx'
import type { MenuItem } from '../ui/menuItem.ts'
import type { ListView } from './listView.ts'
import type { ListViews } from './useViews.ts'

/** The list's saved view and the view commands; hidden in the default state while no view is saved. */
export function ViewChoice({ views, view }: { views: ListViews; view: ListView }) {
  const keys = useKeys()
  const { all, current, changed, workspace } = views
  if (!workspace || (!all.length && view.state === '')) return null
  const choice = (one: (typeof all)[number]): MenuItem => ({
    id: `view ${one.id}`,
    label: one.mine ? one.name : `${one.name} · ${one.owner_name}`,
    checked: one.id === current?.id,
    one: true,
    onSelect: () => workspace.show(one.query, one.id),
  })
  const open: readonly Subject[] = workspace.current ? [workspace.current] : []
  const items = (): (MenuItem | null)[] => [
    ...all.map(choice),
    ...(all.length ? [null] : []),
    {
      id: 'view.save',
      label: commandOf('view.save').title,
      kbd: keys('view.save') ?? undefined,
      onSelect: () => start('view.save', { via: 'menu' }),
    },
    ...(open.length ? [null, ...commandItems(open, keys)] : []),
  ]
  const back = keys('view.back')
  return (
    <span className="flex items-center gap-1.5" data-saved-view={current?.id ?? ''}>
      <Menu
        label="Saved views"
        align="start"
        trigger={
          <Chip
            label="View"
            value={current ? current.name : view.state ? 'not saved' : 'none'}
            on={current !== null}
            data-views=""
          />
        }
        items={items}
        prepare={() => loadAreas(['views'])}
      />
      {changed && (
        <button
          type="button"
          data-command="view.back"
          aria-keyshortcuts={ariaKeys(back)}
          className="flex items-center gap-1 rounded-sm text-meta text-amber-ink hover:text-ink"
          title="Reset to the saved view"
          onClick={() => start('view.back', { via: 'button' })}
        >
          changed {back && <Kbd mute keys={back} />}
        </button>
      )}
    </span>
  )
}
