//! POKEY, PIA and the serial bus as the processor reaches them; the IRQ line and the deadlines.
use crate::bus::Bus;
use crate::config::Tv;
use crate::pia::Pia;
use crate::port::ProgramPort;
use crate::sio::Sio;
use alloc::vec::Vec;
use pokey::{Keys, Pokey};

pub use pokey::SoundChange;

/// POKEY, PIA and the devices on the serial bus.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Io {
    /// Timers, sound, keyboard, pots and the serial port.
    pub pokey: Pokey,
    /// Ports and the control lines of the serial bus.
    pub pia: Pia,
    /// Drives, printer and recorder.
    pub sio: Sio,
    /// The level of the IRQ line to the processor, `true` = low.
    irq_line: bool,
    /// The cycle by which [`Bus::io_event`] must be called next; [`pokey::NEVER`] = not at all.
    deadline: u64,
}

impl Io {
    pub(crate) fn new(tv: Tv) -> Self {
        Self {
            pokey: Pokey::new(0),
            pia: Pia::new(),
            sio: Sio::new(tv),
            irq_line: false,
            deadline: pokey::NEVER,
        }
    }

    /// True if POKEY has not been called for so long that bringing it up to `now` takes a noticeable time: more than nine seconds of the machine.
    pub(crate) fn is_far_behind(&self, now: u64) -> bool {
        now.saturating_sub(self.pokey.synced_to()) > 1 << 24
    }

    /// A copy at `now` without disks, tape and printed text: equal for machines that are equal, however lazily POKEY has run.
    pub(crate) fn without_media(&self, now: u64) -> Self {
        let mut pokey = self.pokey.clone();
        pokey.sync_to(now);
        Self {
            pokey,
            pia: self.pia.clone(),
            sio: self.sio.without_media(),
            ..*self
        }
    }

    /// True if every part can be in this state at `now`: for one that was read from a file.
    pub(crate) fn is_valid(&self, tv: Tv, now: u64) -> bool {
        self.pokey.synced_to() <= now + 1
            && !self.is_far_behind(now)
            && self.pokey.is_valid()
            && self.sio.is_valid(tv, now)
    }

    /// The cycle by which [`Bus::io_event`] must be called.
    #[inline]
    pub(crate) fn deadline(&self) -> u64 {
        self.deadline
    }

    /// The level of the IRQ line, `true` = low.
    #[inline]
    pub(crate) fn irq_line(&self) -> bool {
        self.irq_line
    }

    /// Finds the line's level and the next deadline after POKEY, PIA or the serial bus did something.
    fn settle(&mut self) {
        self.irq_line = self.pokey.irq() || self.pia.irq();
        self.find_deadline();
    }

    /// The processor sees an interrupt one cycle after IRQST shows it: from there to the interrupt sequence it takes three unhalted
    /// cycles in all (Acid800 pokey_irqtiming).
    fn find_deadline(&mut self) {
        self.deadline = self
            .pokey
            .next_event()
            .saturating_add(1)
            .min(self.sio.next_event());
    }

    /// Runs the devices up to `now`.
    #[inline]
    fn run_devices(&mut self, now: u64) {
        if self.pokey.has_serial_output() || self.sio.next_event() <= now {
            self.run_busy_devices(now);
        }
    }

    #[inline(never)]
    fn run_busy_devices(&mut self, now: u64) {
        while let Some(byte) = self.pokey.take_serial_output() {
            self.sio.receive(byte, now);
        }
        while self.sio.next_event() <= now {
            let at = self.sio.next_event();
            if let Some(level) = self.sio.run(at) {
                self.pokey.set_serial_input(level, at);
            }
        }
    }

    /// Work that is due at the beginning of cycle `now`.
    fn event(&mut self, now: u64) {
        // A change of IRQST in this very cycle reaches the line in the next one.
        self.pokey.sync_interrupts(now.saturating_sub(1));
        let shown = self.pokey.irq();
        // Devices move the input line at their own times; POKEY comes up to each of them first.
        while self.sio.next_event() <= now {
            self.pokey.sync_to(self.sio.next_event());
            self.run_devices(self.sio.next_event().min(now));
        }
        self.pokey.sync_interrupts(now);
        self.run_devices(now);
        self.irq_line = shown || self.pia.irq();
        self.expect_line(now);
    }

    /// Finds the next deadline: a change of IRQST in cycle `now` reaches the line in the next one.
    fn expect_line(&mut self, now: u64) {
        self.find_deadline();
        if self.irq_line != (self.pokey.irq() || self.pia.irq()) {
            self.deadline = now + 1;
        }
    }

    /// Does something from outside of the machine at the beginning of cycle `now`: controls move, a tape is changed. What is due in that cycle
    /// reaches the IRQ line as ever, and what comes of it in the cycle after.
    fn act_from_outside<T>(&mut self, now: u64, act: impl FnOnce(&mut Self) -> T) -> T {
        if now >= self.deadline {
            self.event(now);
        }
        // The next event of a POKEY that was called long ago may be a pulse that does nothing.
        self.pokey.sync_to(now);
        let result = act(self);
        self.pass_line(now);
        self.expect_line(now);
        result
    }

    /// The level of the serial input line may have changed.
    fn tell_line(&mut self, now: u64) {
        self.pass_line(now);
        self.settle();
    }

    /// Passes the level of the serial input line on to POKEY, if it has changed.
    fn pass_line(&mut self, now: u64) {
        if let Some(level) = self.sio.line_change() {
            self.pokey.set_serial_input(level, now);
        }
    }

    pub(crate) fn read_pokey(&mut self, register: u8, now: u64) -> u8 {
        // IRQST, which programs poll: nothing has moved it if the line does not move in the next cycle.
        if register & 15 == 14 && now + 1 < self.deadline {
            return self.pokey.peek(14, now);
        }
        self.read_pokey_slowly(register, now)
    }

    #[inline(never)]
    fn read_pokey_slowly(&mut self, register: u8, now: u64) -> u8 {
        if now >= self.deadline {
            self.event(now);
        }
        match register & 15 {
            // It depends only on the time.
            10 => self.pokey.peek(10, now),
            _ => self.pokey.read(register, now),
        }
    }

    /// Writes a register; true if the deadline may have changed.
    fn write_pokey(&mut self, register: u8, data: u8, now: u64) -> bool {
        if now >= self.deadline {
            self.event(now);
        }
        self.pokey.write(register, data, now);
        match register & 9 {
            // AUDC.
            1 => false,
            // AUDF cannot move the interrupt line, but a timer that clocks the serial port may come earlier.
            0 => {
                let next = self.pokey.next_event().saturating_add(1);
                let earlier = next < self.deadline;
                self.deadline = self.deadline.min(next);
                earlier
            }
            _ => {
                self.run_devices(now);
                self.settle();
                true
            }
        }
    }

    /// Writes a register of the PIA; true if the deadline may have changed.
    fn write_pia(&mut self, register: u8, data: u8, now: u64) -> bool {
        self.pia.write(register, data);
        let settles = register & 2 != 0;
        if settles {
            self.event(now);
            self.sio.set_motor(self.pia.motor(), now);
            self.sio.set_command(self.pia.command(), now);
            self.tell_line(now);
        }
        settles
    }
}

impl Bus {
    /// Work that is due at this cycle's beginning. The run loop calls it at [`Io::deadline`], before the processor's step.
    pub(crate) fn io_event(&mut self) {
        let now = self.now();
        self.io.event(now);
        self.schedule();
    }

    #[inline(never)]
    pub(crate) fn read_pokey(&mut self, register: u8) -> u8 {
        if self.added.is_some()
            && let Some(data) = self.read_added(0xD200 | u16::from(register))
        {
            return data;
        }
        let now = self.now();
        self.io.read_pokey(register, now)
    }

    #[inline(never)]
    pub(crate) fn write_pokey(&mut self, register: u8, data: u8) {
        if self.added.is_some() && self.write_added(0xD200 | u16::from(register), data) {
            return;
        }
        let now = self.now();
        let irq = self.irq_line();
        if self.io.write_pokey(register, data, now) {
            self.schedule();
        }
        // The processor notices no release of the line before it unmasks interrupts.
        self.span.over |= !irq && self.irq_line();
    }

    /// The levels outside of ports A and B.
    fn port_pins(&self) -> [u8; 2] {
        let b = if self.model.is_xl() {
            0xFF
        } else {
            self.input.port_pins(1) & self.pointer_pins(1)
        };
        [self.input.port_pins(0) & self.pointer_pins(0), b]
    }

    #[inline(never)]
    pub(crate) fn read_pia(&mut self, register: u8) -> u8 {
        // The control registers do not show them.
        let pins = if register & 2 == 0 {
            self.port_pins()
        } else {
            [0xFF; 2]
        };
        let irq = self.io.pia.irq();
        let data = self.io.pia.read(register, pins);
        if irq != self.io.pia.irq() {
            self.io.settle();
        }
        data
    }

    #[inline(never)]
    pub(crate) fn write_pia(&mut self, register: u8, data: u8) {
        // PORTB may change the memory.
        self.catch_up();
        self.span.over = true;
        let now = self.now();
        let loader = self.program.as_ref().is_some_and(ProgramPort::waits);
        self.io.sio.offer_loader(loader);
        if self.io.write_pia(register, data, now) {
            self.schedule();
        }
        self.io.sio.offer_loader(false);
        if register & 1 != 0 {
            self.memory.set_portb(self.io.pia.portb_levels());
        }
    }

    pub(crate) fn peek_pokey(&self, register: u8) -> u8 {
        self.peek_added(0xD200 | u16::from(register))
            .unwrap_or_else(|| self.io.pokey.peek(register, self.now()))
    }

    pub(crate) fn peek_pia(&self, register: u8) -> u8 {
        self.io.pia.peek(register, self.port_pins())
    }

    /// Hands keys and paddles to POKEY; joysticks are read through the PIA when wanted.
    pub(crate) fn io_input_changed(&mut self) {
        let now = self.now();
        let mut keys = self.input.key.map_or(Keys::default(), Keys::code);
        keys.shift |= self.input.shift;
        keys.break_key = self.input.break_key;
        let (paddles, is_xl) = (self.input.paddles, self.model.is_xl());
        self.io.act_from_outside(now, |io| {
            io.pokey.set_keys(keys, now);
            for (i, position) in paddles.into_iter().enumerate() {
                // Machines with two controller ports have inputs 4-7 tied to ground: they never reach their threshold.
                let position = if i >= 4 && is_xl { 228 } else { position };
                io.pokey.set_pot(i, position);
            }
        });
        self.schedule();
    }

    /// Takes over disks and tapes from a machine that is switched off.
    pub(crate) fn keep_media(&mut self, old: &mut Bus) {
        self.io.sio.keep_media(&mut old.io.sio);
    }

    /// RESET reaches the PIA of XL and XE machines; POKEY has no reset pin.
    pub(crate) fn io_reset(&mut self) {
        if self.model.is_xl() {
            self.io.pia = Pia::new();
            let levels = self.io.pia.portb_levels();
            self.memory.set_portb(levels);
            let now = self.now();
            self.io.sio.set_motor(false, now);
            self.io.sio.set_command(false, now);
            self.io.settle();
            self.schedule();
        }
    }
}

/// # Disks, tapes, printer and sound
impl crate::Machine {
    /// Puts a disk into drive `number` (0 = D1:, to 7) and switches the drive on.
    pub fn insert_disk(&mut self, number: usize, disk: media::atr::Disk) {
        self.bus.io.sio.insert_disk(number, disk);
    }

    /// Takes the disk out of drive `number`; the drive stays on.
    pub fn eject_disk(&mut self, number: usize) -> Option<media::atr::Disk> {
        self.bus.io.sio.eject_disk(number)
    }

    /// The disk in drive `number`.
    pub fn disk(&self, number: usize) -> Option<&media::atr::Disk> {
        self.bus.io.sio.disk(number)
    }

    /// The disk in drive `number`, to note that it was saved or to change its notch.
    pub fn disk_mut(&mut self, number: usize) -> Option<&mut media::atr::Disk> {
        self.bus.io.sio.disk_mut(number)
    }

    /// Puts a tape into the recorder, wound to its beginning, with PLAY pressed; the motor is the program's.
    pub fn insert_tape(&mut self, tape: media::cas::Tape) {
        self.change_tape(|sio| sio.insert_tape(tape));
    }

    /// Takes the tape out of the recorder.
    pub fn eject_tape(&mut self) -> Option<media::cas::Tape> {
        self.change_tape(crate::Sio::eject_tape)
    }

    /// The tape in the recorder.
    pub fn tape(&self) -> Option<&media::cas::Tape> {
        self.bus.io.sio.tape()
    }

    /// Number of the block at the recorder's head, from 0, and of all blocks.
    pub fn tape_position(&self) -> (usize, usize) {
        self.bus.io.sio.tape_position()
    }

    /// Winds the tape to its beginning.
    pub fn rewind_tape(&mut self) {
        self.wind_tape(0);
    }

    /// Winds the tape to the beginning of a block, from 0; of one that the tape does not have, to its end.
    pub fn wind_tape(&mut self, block: usize) {
        self.change_tape(|sio| sio.wind_tape(block));
    }

    /// True while RECORD is pressed.
    pub fn tape_records(&self) -> bool {
        self.bus.io.sio.is_recording()
    }

    /// True if a program has sent bytes for a tape since the last call, and they were not recorded: RECORD was not pressed, or there was no
    /// tape. Not part of a saved state.
    pub fn take_unrecorded(&mut self) -> bool {
        self.bus.io.sio.take_unrecorded()
    }

    /// Presses RECORD together with PLAY, or only PLAY.
    pub fn press_record(&mut self, pressed: bool) {
        self.change_tape(|sio| sio.press_record(pressed));
    }

    fn change_tape<T>(&mut self, change: impl FnOnce(&mut crate::Sio) -> T) -> T {
        let now = self.bus.now();
        let result = self.bus.io.act_from_outside(now, |io| change(&mut io.sio));
        self.bus.schedule();
        result
    }

    /// Drives answer without the time of a turning disk and a moving head; the serial bus keeps its speed.
    pub fn set_fast_drives(&mut self, fast: bool) {
        self.bus.io.sio.set_fast(fast);
    }

    /// True if a device on the serial bus is at work: a command is under way, bytes come, or the tape plays.
    pub fn serial_busy(&self) -> bool {
        self.bus.io.sio.is_busy()
    }

    /// Sets the speed at which devices of the serial bus answer, in microseconds: from the end of a command frame to ACK (as built 400), from ACK
    /// to COMPLETE at least (250), and from byte to byte at standard speed (530; less than a byte's ten bits means no pause). Drives differ, and
    /// emulators have answered without any pause. Not part of a saved state.
    pub fn set_drive_gaps(&mut self, acknowledge: u64, complete: u64, byte: u64) {
        self.bus.io.sio.set_gaps(acknowledge, complete, byte);
    }

    /// Lines printed since the last call, in ATASCII, as one of 40 columns (820): each record is a line, ended by $9B.
    pub fn take_printed(&mut self) -> Vec<u8> {
        let mut lines = Vec::new();
        for mut record in self.take_print_records() {
            if record.last() == Some(&0x9B) {
                record.pop();
            }
            lines.extend(record);
            lines.push(0x9B);
        }
        lines
    }

    /// Records that the printer has received since the last call: up to and with the end of its line ($9B), or whole.
    pub fn take_print_records(&mut self) -> Vec<Vec<u8>> {
        self.bus.io.sio.take_printed()
    }

    /// Appends the changes of the sound level since the last call.
    pub fn take_sound(&mut self, into: &mut Vec<SoundChange>) {
        let now = self.bus.now();
        self.bus.io.pokey.sync_to(now);
        self.bus.io.pokey.take_sound(into);
    }
}

#[cfg(test)]
mod tests;
