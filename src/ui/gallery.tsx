import '../styles.css'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from './Button.tsx'
import { GalleryCharts } from './gallery-charts.tsx'
import { GalleryControls } from './gallery-controls.tsx'
import { GalleryList } from './gallery-list.tsx'
import { Tabs } from './Tabs.tsx'
import { Toaster } from './Toaster.tsx'

// Every part in its states: `npm run dev`, /src/ui/gallery.html?theme=dark&density=comfortable#list. Never built.
const asked = new URLSearchParams(location.search)
document.documentElement.classList.toggle('dark', asked.get('theme') === 'dark')
if (asked.get('density')) document.documentElement.dataset.density = asked.get('density')!

const pages: Record<string, () => ReactNode> = { controls: GalleryControls, list: GalleryList, charts: GalleryCharts }

function Gallery() {
  const [page, setPage] = useState(location.hash.slice(1) || 'controls')
  const Page = pages[page] ?? GalleryControls
  return (
    <div className="flex h-dvh flex-col bg-surface">
      <header className="flex h-header shrink-0 items-center gap-2 border-b border-line px-4">
        <h1 className="mr-auto text-title">Gallery</h1>
        <Button onClick={() => document.documentElement.classList.toggle('dark')}>Theme</Button>
        <Button
          onClick={() => {
            const root = document.documentElement
            root.dataset.density = root.dataset.density === 'comfortable' ? 'compact' : 'comfortable'
          }}
        >
          Density
        </Button>
      </header>
      <Tabs
        label="Parts"
        className="px-2"
        items={Object.keys(pages).map((id, at) => ({ id, label: id, kbd: String(at + 1) }))}
        selected={page}
        onSelect={setPage}
      />
      <Page />
      <Toaster />
    </div>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
)
