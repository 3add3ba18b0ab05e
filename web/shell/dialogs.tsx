// Dialogs of the frame, in one file that is loaded after the page is shown.
export { KeyMap } from './key-map.tsx';
export { NewThreadDialog } from './new-thread.tsx';
export { RenameDialog } from './rename-dialog.tsx';
