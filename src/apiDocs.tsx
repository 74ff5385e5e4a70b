import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiDocs } from './apiDocs/ApiDocs.tsx'
import { followAppearance } from './data/storedAppearance.ts'
import './apiDocs.css'

followAppearance()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ApiDocs />
  </StrictMode>,
)
