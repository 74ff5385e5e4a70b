/** @jsxImportSource react */
// A list as in cmdk's own examples, for tests/peers/palette.bench.ts: every entry an item, filtered by cmdk itself.
import { Command } from 'cmdk'
import { createRoot } from 'react-dom/client'

declare global {
  interface Window {
    /** The list's names, set by the bench. */
    entries: string[]
    showPlain: () => void
  }
}

window.showPlain = () => {
  const place = document.createElement('div')
  place.id = 'plain'
  place.style.cssText = 'position:fixed;inset:10vh 20vw auto;z-index:99;background:white;color:black'
  document.body.append(place)
  createRoot(place).render(
    <Command>
      <Command.Input aria-label="Plain" />
      <Command.List style={{ height: '50vh', overflow: 'auto' }}>
        {window.entries.map((name, at) => (
          <Command.Item key={name} value={`${name} ${at}`}>
            {name}
          </Command.Item>
        ))}
      </Command.List>
    </Command>,
  )
}
