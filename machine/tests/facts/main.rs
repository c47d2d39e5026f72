//! The machine's timing, a test for each fact, by chip and subject. Expected values are those of the Acid800 tests and of the
//! Altirra Hardware Reference Manual (AHRM).
mod rig;

mod abnormal_dma;
mod chactl;
mod display_list;
mod dma_cycles;
mod interrupts;
mod line_buffer;
mod mmu;
mod objects;
mod paddles;
mod phantom_dma;
mod pia;
mod playfield_edges;
mod pm_dma;
mod pointers;
mod pokey_irq;
mod vcount_wsync;
mod vscrol;
mod write_delays;
