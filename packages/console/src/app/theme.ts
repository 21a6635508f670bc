// The console's colors, typography and spacing, defined in one place. docs/guide/console-design.md describes their
// purpose.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const teal: MantineColorsTuple = [
  '#effcf9', '#d5f5ee', '#a9eadd', '#75d8c8', '#3fc0b0', '#1fa598', '#138078', '#0f6f68', '#0d5954', '#0b4945',
]; // prettier-ignore

const red: MantineColorsTuple = [
  '#fdf1f0', '#fbdedb', '#f6bcb7', '#f09890', '#e8756b', '#dc5146', '#c63a30', '#b3261e', '#96211a', '#7a1c17',
]; // prettier-ignore

/** Mantine's dark palette, from text to the darkest background; shade 6, used behind fields, equals --surface. */
const dark: MantineColorsTuple = [
  '#e8eeee', '#c3cdcd', '#a9b8b8', '#8a9999', '#415050', '#1f2727', '#171d1d', '#101515', '#0c1010', '#080b0b',
]; // prettier-ignore

export const theme = createTheme({
  primaryColor: 'teal',
  // White text is legible on both shades of teal and red.
  primaryShade: { light: 7, dark: 6 },
  colors: { teal, red, dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.35 },
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    // A dialog header must not be announced as a banner landmark of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // Menus are rendered next to their button, where screen readers expect them. The first item gets the focus.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    // On a small screen, scrolling to an option can move its field out of view. The dropdown must stay open in that
    // case.
    Popover: { defaultProps: { hideDetached: false } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});

/** Color is never the only indicator of a state: each state also has a word and a shape (ui/state.tsx). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--page-width': '88rem', '--row-height': '2.75rem' },
  light: {
    '--page': '#f7f8f8',
    '--surface': '#ffffff',
    '--surface-raised': '#f1f4f4',
    '--line': '#dfe5e5',
    '--line-strong': '#c3cdcd',
    '--ink': '#172020',
    '--ink-soft': '#4f5d5d',
    '--ink-faint': '#667474',
    '--good': '#0d6b3d',
    '--good-soft': '#e1f4e9',
    '--warn': '#8a5300',
    '--warn-soft': '#fdf0d9',
    '--bad': '#b3261e',
    '--bad-soft': '#fce8e6',
    '--wait': '#1d5fa8',
    '--wait-soft': '#e4eefa',
    '--none': '#566464',
    '--none-soft': '#edf1f1',
    '--mantine-color-body': '#f7f8f8',
    '--mantine-color-text': '#172020',
    '--mantine-color-dimmed': '#4f5d5d',
    '--mantine-color-placeholder': '#667474',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#c3cdcd',
  },
  dark: {
    '--page': '#101515',
    '--surface': '#171d1d',
    '--surface-raised': '#1f2727',
    '--line': '#2a3434',
    '--line-strong': '#415050',
    '--ink': '#e8eeee',
    '--ink-soft': '#a9b8b8',
    '--ink-faint': '#8a9999',
    '--good': '#5fd695',
    '--good-soft': '#12301f',
    '--warn': '#f2b955',
    '--warn-soft': '#36270c',
    '--bad': '#ff9d94',
    '--bad-soft': '#3d1a17',
    '--wait': '#8bbcf5',
    '--wait-soft': '#15283f',
    '--none': '#a0aeae',
    '--none-soft': '#232c2c',
    '--mantine-color-body': '#101515',
    '--mantine-color-text': '#e8eeee',
    '--mantine-color-dimmed': '#a9b8b8',
    '--mantine-color-placeholder': '#8a9999',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-default': '#171d1d',
    '--mantine-color-default-hover': '#1f2727',
    '--mantine-color-default-border': '#415050',
  },
});
